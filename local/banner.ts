import { chatCommand } from './chat-command.ts';
import { dataDirOf } from './local-settings.ts';

/** What a newcomer can do next, ready to paste. */
export function banner(url: string, env: NodeJS.ProcessEnv, pid: number): string {
  const header = env.API_KEYS || env.OAUTH_ISSUER ? ' -H "Authorization: Bearer <key>"' : '';
  // A client that meets an issuer gets its token by itself.
  const mcpHeader = header && !env.OAUTH_ISSUER ? ' --header "Authorization: Bearer <key>"' : '';
  const example = JSON.stringify({
    tool: 'batch_create_users_async',
    arguments: {
      users_data: [
        { name: 'Alice', email: 'alice@example.com' },
        { name: 'Bob', email: 'bob@example.com' },
      ],
      delay: 3,
    },
  });
  return `boomerang listening ${url}

  MCP   ${url}/mcp
  API   ${url}/v1   (described at ${url}/openapi.json)
  data  ${dataDirOf(env)}
  pid   ${pid}

Talk with it, from a second terminal:
  ${chatCommand({ url, needsKey: header !== '' })}

Add it to Claude Code:
  claude mcp add --transport http${mcpHeader} boomerang ${url}/mcp

Start a slow task, then read it by its handle:
  curl -s ${url}/v1/tasks${header} -H 'content-type: application/json' -d '${example}'
  curl -s '${url}/v1/tasks/<task_id>?wait_s=25'${header}

Ctrl-C stops it; what was accepted goes on at the next start.
`;
}
