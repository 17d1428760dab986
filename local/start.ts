import { isWrongSetting } from '../functions/adapters/settings.ts';
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
      // The engines close under whatever is still going on; all of it is found again at the next start.
      process.on('uncaughtException', () => {});
      setTimeout(() => process.exit(0), stopMsMax).unref();
      void running.stop().then(() => process.exit(0));
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (thrown) {
    process.stderr.write(`${explain(thrown)}\n`);
    process.exit(1);
  }
}

/** The same for what ends by itself. */
export async function runToEnd(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    process.stderr.write(`${explain(thrown)}\n`);
    process.exitCode = 1;
  }
}

/** What a person can put right is one sentence; anything else is a bug and keeps its stack. */
function explain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (isStartProblem(thrown) || isWrongSetting(thrown)) return thrown.message;
  return thrown.stack ?? thrown.message;
}
