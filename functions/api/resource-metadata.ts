import type { OpenAPIHono } from '@hono/zod-openapi';
import { resourceMetadata, type OAuth } from '../core/oauth.ts';
import type { ApiEnv } from './rest.ts';

/**
 * RFC 9728: who issues tokens for this house. Clients look under the path of the door first and at the
 * root second; both must send them for a token of the same resource.
 */
export function addResourceMetadata(app: OpenAPIHono<ApiEnv>, oauth: OAuth): void {
  for (const door of ['', '/*'])
    app.get(`/.well-known/oauth-protected-resource${door}`, (c) => {
      const { pathname } = new URL(c.req.url);
      const isOurs = ['', '/mcp', new URL(oauth.resource).pathname].some((path) =>
        pathname.endsWith(`/oauth-protected-resource${path}`),
      );
      return isOurs ? c.json(resourceMetadata(oauth)) : c.notFound();
    });
}
