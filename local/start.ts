import { isStartProblem } from './start-problem.ts';

export interface Running {
  stop(): Promise<void>;
}

/** A second Ctrl-C, or a stop that hangs this long, ends the process at once. */
const stopMsMax = 3000;

/** Run until Ctrl-C. What stops a start is told in one sentence; a bug shows its stack. */
export async function runUntilStopped(start: () => Promise<Running>): Promise<void> {
  try {
    const running = await start();
    const stop = () => {
      setTimeout(() => process.exit(0), stopMsMax).unref();
      void running.stop().then(() => process.exit(0));
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (thrown) {
    const text = isStartProblem(thrown) ? thrown.message : explain(thrown);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

/** Settings name what is wrong with them; anything else is a bug and keeps its stack. */
const explain = (thrown: unknown) =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
