import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Access } from './access.ts';
import type { ApiEnv } from './rest.ts';
import { version } from './version.ts';

/** /openapi.json: the routes as they are declared, and what a caller must show. */
export function addDescription(app: OpenAPIHono<ApiEnv>, { loopbackOnly = false }: Access): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or an access token of the issuer where there is one',
  });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Boomerang', version },
    // On one's own machine nothing need be shown.
    security: loopbackOnly ? [{}, { bearer: [] }] : [{ bearer: [] }],
  });
}
