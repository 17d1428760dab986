import { defineConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/** `npm run test:instances`: the MCP suite once more, over three processes that share only the engines. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['test/mcp/*.test.ts'],
    // It starts instances of its own.
    exclude: ['test/mcp/round-robin.test.ts'],
    // Every test of it asks processes.
    retry: process.env.CI ? 1 : 0,
    globalSetup: ['test/built.ts', 'test/mcp/instances/setup.ts'],
  },
});
