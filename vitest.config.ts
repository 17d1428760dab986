import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/built.ts',
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // Many tests wait for processes and clocks: with a worker more than there are cores nobody waits for them.
    maxWorkers: availableParallelism() + 1,
    // Loading everything anew for each file took half of the time. A test must leave no global changed behind it.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
