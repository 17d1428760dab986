import { checkpointBytesMax, progressTextBytesMax } from '../core/limits.ts';
import { nextPercent } from '../core/task-event.ts';
import { attemptOf, keyOf } from '../core/task.ts';
import { bytesOf, clipText } from '../core/text.ts';
import type { TaskContext } from '../core/tool.ts';
import type { RunNeeds } from './run-task.ts';
import type { StopSwitch, ToolRun } from './run-tool.ts';

/** What the tool is given beside its input. Every write of it carries the fence of this claim. */
export async function taskContext(
  ports: RunNeeds,
  { task: claimed }: ToolRun,
  stop: StopSwitch,
  over: AbortSignal,
): Promise<TaskContext> {
  const key = keyOf(claimed);
  const { fence } = claimed.claim;
  // Kept here, before any write, so that two reports at once cannot overtake each other downwards.
  let reached = claimed.progress?.percent ?? 0;
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
    async progress(percent, message = '') {
      refuseIfOver();
      stop.signal.throwIfAborted();
      reached = nextPercent(reached, percent);
      const atMs = ports.clock.nowMs();
      const recorded = await ports.tasks.record(
        key,
        { fence },
        {
          kind: 'progressed',
          percent: reached,
          message: clipText(message, progressTextBytesMax),
          atMs,
          claimUntilMs: atMs + ports.settings.claimMs,
        },
      );
      if (!recorded) stop.stop('ended');
      stop.signal.throwIfAborted();
    },
    async checkpoint(value) {
      // Taken even after the signal: a run that is told to stop may still save what it has done.
      refuseIfOver();
      const json = JSON.stringify(value ?? null);
      if (bytesOf(json) > checkpointBytesMax) {
        throw new Error(`A checkpoint holds at most ${checkpointBytesMax} bytes of JSON.`);
      }
      if (await ports.tasks.keepCheckpoint(key, fence, json)) return;
      stop.stop('ended');
      stop.signal.throwIfAborted();
    },
  };
}

/** A first attempt has nothing behind it, so it saves the read. */
async function savedState(ports: RunNeeds, task: ToolRun['task']): Promise<unknown> {
  if (attemptOf(task) === 1) return undefined;
  const json = await ports.tasks.checkpoint(keyOf(task));
  return json === undefined ? undefined : JSON.parse(json);
}
