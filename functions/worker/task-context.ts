import type { CiRun } from '../core/ci/report.ts';
import { checkpointBytesMax } from '../core/limits.ts';
import { attemptOf, keyOf } from '../core/task.ts';
import { bytesOf } from '../core/text.ts';
import type { TaskContext } from '../core/tool.ts';
import { registerRun } from '../tasks/ci-binding.ts';
import { callbackFor } from '../tasks/callback.ts';
import { asking } from './ask.ts';
import { reports } from './reports.ts';
import type { RunNeeds } from './run-task.ts';
import type { StopSwitch, ToolRun } from './run-tool.ts';
import { unheeded } from './unheeded.ts';

/** What the tool is given beside its input. Every write of it carries the fence of this claim. */
export async function taskContext(
  ports: RunNeeds,
  toolRun: ToolRun,
  stop: StopSwitch,
  over: AbortSignal,
): Promise<TaskContext> {
  const claimed = toolRun.task;
  const key = keyOf(claimed);
  const { fence } = claimed.claim;
  const refuseIfOver = () => {
    if (!over.aborted) return;
    throw new Error('This run is over: the tool went on after it was told to stop.');
  };
  return {
    owner: claimed.owner,
    idempotencyKey: claimed.taskId,
    attempt: attemptOf(claimed),
    signal: stop.signal,
    state: await savedState(ports, claimed),
    ...reports(ports, toolRun, stop, refuseIfOver),
    ...asking(ports, claimed, stop, over),
    // Made when it is asked for: most tools hand it to nobody.
    get callback() {
      return callbackFor(ports, claimed);
    },
    register: unheeded((run: CiRun) => registerRun(ports, key, run)),
    checkpoint: unheeded(async (value: unknown) => {
      // Taken even after the signal: a run that is told to stop may still save what it has done.
      refuseIfOver();
      const json = JSON.stringify(value ?? null);
      if (bytesOf(json) > checkpointBytesMax) {
        throw new Error(`A checkpoint holds at most ${checkpointBytesMax} bytes of JSON.`);
      }
      if (await ports.tasks.keepCheckpoint(key, fence, json)) return;
      stop.stop('ended');
      stop.signal.throwIfAborted();
    }),
  };
}

/** A first attempt has nothing behind it, so it saves the read. */
async function savedState(ports: RunNeeds, task: ToolRun['task']): Promise<unknown> {
  if (attemptOf(task) === 1) return undefined;
  const json = await ports.tasks.checkpoint(keyOf(task));
  return json === undefined ? undefined : JSON.parse(json);
}
