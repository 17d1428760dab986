import { FatalError } from '../core/author-errors.ts';
import { progressOnto } from '../core/progress.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { Task } from '../core/task.ts';
import type { TaskContext } from '../core/tool.ts';
import { keepValue } from '../tasks/keep-value.ts';
import { recordOnto, type Build } from '../tasks/record-onto.ts';
import { ringSession, tellProgress } from '../tasks/tell-end.ts';
import { checkResult } from './check-result.ts';
import type { RunNeeds } from './run-task.ts';
import type { StopSwitch, ToolRun } from './run-tool.ts';
import { unheeded } from './unheeded.ts';

type Reports = Pick<TaskContext, 'progress' | 'result'>;

/**
 * What a run reports. One report is written after another, each built on what the one before has left,
 * so that two made at once cannot overtake each other.
 */
export function reports(
  ports: RunNeeds,
  { task: claimed, tool }: ToolRun,
  stop: StopSwitch,
  refuseIfOver: () => void,
): Reports {
  const writer = { fence: claimed.claim.fence };
  let now = claimed;
  const record = async (build: Build) => {
    const recorded = await recordOnto(ports, now, writer, build);
    if (recorded.kind === 'refused') {
      stop.stop('ended');
      stop.signal.throwIfAborted();
      throw new Error('This run is over: its task is held by another.');
    }
    now = recorded.after;
    return recorded;
  };
  const inTurn = oneAfterAnother(() => {
    refuseIfOver();
    stop.signal.throwIfAborted();
  });
  const wasGiven = earlierResults(ports, claimed);
  const times = () => {
    const atMs = ports.clock.nowMs();
    return { atMs, claimUntilMs: atMs + ports.settings.claimMs };
  };
  return {
    progress: (percent, message = '') =>
      inTurn(async () => {
        const news = await record((task) => progressOnto(task, { percent, message }, times()));
        await tell(ports, now, () => tellProgress(ports, tool.progressAt, news));
        stop.signal.throwIfAborted();
      }),
    result: (value) =>
      inTurn(async () => {
        const part = await keepPart(ports, { task: claimed, tool }, value);
        if (!(await wasGiven(part))) {
          await record((task) => {
            refuseTooMany(task);
            return { kind: 'yielded', part, after: task.sequence, ...times() };
          });
        }
        await tell(ports, now, () => ringSession(ports, now));
        stop.signal.throwIfAborted();
      }),
  };
}

function oneAfterAnother(mayBegin: () => void) {
  let last: Promise<unknown> = Promise.resolve();
  return unheeded(async (act: () => Promise<void>) => {
    mayBegin();
    const done = last.then(() => {
      mayBegin();
      return act();
    });
    last = done.catch(() => undefined);
    return done;
  });
}

async function keepPart(
  ports: RunNeeds,
  { task, tool }: Pick<ToolRun, 'task' | 'tool'>,
  value: unknown,
): Promise<StoredValue> {
  const checked = checkResult(tool, value);
  if (typeof checked === 'string') throw new FatalError(checked);
  return keepValue(ports, task.owner, checked.value);
}

function refuseTooMany({ parts, resultsMax, tool }: Task): void {
  if (parts + 1 < resultsMax) return;
  const count = resultsMax === 1 ? 'one result' : `${resultsMax} results`;
  throw new FatalError(`${tool} gives at most ${count}, and the last is what it returns.`);
}

/** A run that begins again from the top gives the results of the one before again: they count once. */
function earlierResults(ports: RunNeeds, claimed: Task) {
  let next = 1;
  return async (part: StoredValue): Promise<boolean> => {
    if (next > claimed.parts) return false;
    const { digest } = await ports.tasks.part(claimed, next);
    next = digest === part.digest ? next + 1 : Number.POSITIVE_INFINITY;
    return digest === part.digest;
  };
}

/** A ring that is lost is made up for by the next, and by the end: no reason to fail the tool. */
async function tell(ports: RunNeeds, { taskId }: Task, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch {
    ports.log('warn', 'session not told', { taskId });
  }
}
