import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // Half of the tests wait for processes and clocks: leaving a core free for them only makes everyone wait.
    maxWorkers: '100%',
    // No test changes a module or a global for another; loading everything anew for each file took half of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Some tests run real processes against a real clock; on a busy CI machine one may be given a second look.
    retry: process.env.CI ? 1 : 0,
  },
});
