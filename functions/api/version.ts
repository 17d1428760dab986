/** Told by /health, OpenAPI and MCP. */
export const version = '0.1.0';
