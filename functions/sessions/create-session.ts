import type { Flaw } from '../core/failure.ts';
import type { Owner } from '../core/ids.ts';
import { ownToolsBytesMax } from '../core/limits.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { policyDefault, type OwnTool, type Policy, type Session } from '../core/session.ts';
import { readResultTool } from '../core/response-text.ts';
import { bytesOf } from '../core/text.ts';
import { isToolName, type Tools } from '../core/tool.ts';
import type { Ports } from '../ports.ts';
import { nameWebhook } from '../tasks/name-webhook.ts';

type Needs = Pick<Ports, 'sessions' | 'tools' | 'webhooks' | 'outbound' | 'clock' | 'newSessionId'>;

export interface NewSession {
  readonly owner: Owner;
  readonly system?: string | undefined;
  readonly model?: string | undefined;
  /** Names of tools of ours, and tools of the caller's own; left out, all of ours. */
  readonly tools?: readonly (string | OwnTool)[] | undefined;
  readonly webhookUrl?: string | undefined;
  readonly policy?: Partial<Policy> | undefined;
}

export async function createSession(ports: Needs, wanted: NewSession): Promise<Result<Session>> {
  const { owner, system = '', model, tools, webhookUrl, policy } = wanted;
  const flaws = toolFlaws(tools ?? [], ports.tools);
  if (flaws.length > 0) return refuse({ reason: 'invalid_request', flaws });
  if (webhookUrl !== undefined) {
    const named = await nameWebhook(ports, owner, { url: webhookUrl });
    if (!named.ok) return named;
  }
  const session: Session = {
    owner,
    sessionId: ports.newSessionId(),
    createdAtMs: ports.clock.nowMs(),
    system,
    model,
    tools: tools?.filter((tool) => typeof tool === 'string'),
    ownTools: (tools ?? []).filter((tool) => typeof tool !== 'string'),
    webhookUrl,
    policy: { ...policyDefault, ...policy },
    snapshot: undefined,
  };
  // The id is new: a put that is refused was our own, and only its answer was lost.
  await ports.sessions.create(session);
  return ok(session);
}

/** Everything wrong with a list of tools, each flaw with its place in it. */
function toolFlaws(wanted: readonly (string | OwnTool)[], tools: Tools): readonly Flaw[] {
  const names = wanted.map((tool) => (typeof tool === 'string' ? tool : tool.name));
  const flaws = wanted.flatMap((tool, index): readonly Flaw[] => {
    const message = wrongWith(tool, names.slice(0, index), tools);
    const path = typeof tool === 'string' ? `tools.${index}` : `tools.${index}.name`;
    return message === undefined ? [] : [{ path, message }];
  });
  const own = wanted.filter((tool) => typeof tool !== 'string');
  if (bytesOf(JSON.stringify(own)) <= ownToolsBytesMax) return flaws;
  return [...flaws, { path: 'tools', message: `own tools over ${ownToolsBytesMax} bytes` }];
}

function wrongWith(
  tool: string | OwnTool,
  before: readonly string[],
  tools: Tools,
): string | undefined {
  const isOurs = typeof tool === 'string';
  const name = isOurs ? tool : tool.name;
  if (isOurs && !tools.has(name)) return `there is no tool named "${name}"`;
  if (!isToolName(name)) return 'must be 1 to 64 letters, digits, _ or -';
  if (!isOurs && name === readResultTool) return `"${name}" is how long results are read here`;
  return before.includes(name) ? `"${name}" is there already` : undefined;
}
