import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { openIssuer } from '../api/issuer.ts';
import { connectV1, connectV2 } from '../mcp/mcp-clients.ts';
import { newFolder, npmStart, onProcesses } from './npm-start.ts';

it(
  'npm start with an issuer takes its tokens for the address it listens at',
  onProcesses,
  async (test) => {
    const issuer = await openIssuer();
    test.onTestFinished(issuer.close);
    const { url } = await npmStart(test, { DATA_DIR: newFolder(test), OAUTH_ISSUER: issuer.url });
    const mcp = `${url}/mcp`;
    const refused = await fetch(mcp, { method: 'POST' });
    expect(refused.status).toBe(401);
    const [, metadataUrl] = /resource_metadata="([^"]+)"/.exec(
      refused.headers.get('www-authenticate') ?? '',
    ) ?? ['', ''];
    const metadata = await discoverOAuthProtectedResourceMetadata(mcp, {
      resourceMetadataUrl: metadataUrl ?? '',
    });
    expect(metadata).toMatchObject({ resource: mcp, authorization_servers: [issuer.url] });
    const token = await issuer.mint({ claims: { aud: metadata.resource } });
    for (const connect of [connectV1, connectV2('auto', '2026-07-28')]) {
      const client = await connect(mcp, token);
      expect((await client.call('list_tasks')).structuredContent).toEqual({ items: [] });
      await client.close();
      await expect(connect(mcp, await issuer.mint())).rejects.toThrow(/401|unauthorized/i);
    }
  },
);
