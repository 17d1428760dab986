import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { holdOnceMs } from '../../core/ladder.ts';
import { resumeAfterMs, streamMsMax } from '../../core/limits.ts';
import { questionName } from '../../core/question.ts';
import type { Result } from '../../core/result.ts';
import { hasEnded, keyOf, type Task } from '../../core/task.ts';
import { watchTask } from '../../tasks/watch-task.ts';
import { eventStream, type EventWriter } from './event-stream.ts';
import { heldAnswer, progressAfter } from './held-call.ts';
import { inputRequestsOf } from './input-requests.ts';
import type { McpNeeds } from './needs.ts';
import { questionsDue, timesAsked } from './refused-answer.ts';
import { lateMs, seal, type Place } from './seals.ts';
import { noSuchTask, protocolError } from './task-views.ts';
import { endedResult } from './tool-result.ts';

/**
 * Hold a request of 2025-11-25 on a stream that any instance can go on with: each event carries the
 * place the stream has come to, and a client whose connection ends comes back with the last one it saw.
 */
export function holdStream(
  ports: McpNeeds,
  from: Place,
  { signal, isFirst }: { readonly signal: AbortSignal; readonly isFirst: boolean },
): Response {
  return eventStream(ports, signal, async (out, over) => {
    const stream = placedStream(ports, from, out);
    out.prime(stream.id(), resumeAfterMs);
    const onceMs = from.form === 'call' ? holdOnceMs(ports.settings, isFirst) : streamMsMax;
    const found = await watchTask(ports, keyOf(from), {
      untilMs: Math.min(from.untilMs, ports.clock.nowMs() + onceMs),
      signal: over,
      seen: (task) => stream.tellProgress(task),
      looked: (task) => stream.ask(task),
      isOver: (task) => hasEnded(task) || isStuck(from, task),
    });
    const goesOn = found.ok && !hasEnded(found.value) && !isStuck(from, found.value);
    if (over.aborted || (goesOn && ports.clock.nowMs() < from.untilMs)) return;
    out.message({ id: from.requestId, ...(await answerTo(ports, from, found)) }, stream.id());
  });
}

/** A task that asks is not waited for by a client that cannot answer: its handle says so. */
const isStuck = ({ form, elicits }: Place, { state }: Task) =>
  form !== 'result' && state.status === 'input_required' && !elicits;

function placedStream(ports: McpNeeds, from: Place, out: EventWriter) {
  let at = from;
  const id = () => seal(ports, 'place', at, Math.max(ports.clock.nowMs(), at.untilMs) + lateMs);
  const tellProgress = (task: Task) => {
    const more = progressAfter(task, at.percent);
    // Of a task that a client knows nothing is told after its end; a call ends with its answer.
    const isTold = at.form === 'result' && hasEnded(task);
    if (at.progressToken === undefined || isTold || !more) return;
    at = { ...at, percent: more.progress };
    const { progressToken } = at;
    out.message({ method: 'notifications/progress', params: { progressToken, ...more } }, id());
  };
  const ask = async (task: Task) => {
    if (!at.elicits || task.state.status !== 'input_required') return;
    const due = await questionsDue(ports, at, task.asking);
    if (due.length === 0) return;
    const { owner, taskId } = at;
    for (const [key, request] of Object.entries(await inputRequestsOf(ports, task))) {
      const name = questionName(key);
      if (!due.includes(name)) continue;
      const round = timesAsked(at, name);
      at = { ...at, asked: [...at.asked, name] };
      const questionId = seal(ports, 'question', { owner, taskId, key, round }, task.deadlineMs);
      // Only who knows of the task can relate anything to it.
      const related = at.form === 'result' ? { _meta: relatedTo(taskId) } : {};
      const params = { ...request.params, ...related };
      out.message({ id: questionId, method: request.method, params }, id());
    }
  };
  return { id, tellProgress, ask };
}

async function answerTo(ports: McpNeeds, { form }: Place, found: Result<Task>) {
  if (form !== 'result') return { result: await heldAnswer(ports, form, found) };
  if (!found.ok || !hasEnded(found.value)) return { error: noSuchTask };
  const error = protocolError(found.value);
  if (error) return { error: { ...error, data: relatedTo(found.value.taskId) } };
  const result = await endedResult(ports, found.value);
  return { result: { ...result, _meta: relatedTo(found.value.taskId) } };
}

const relatedTo = (taskId: string) => ({ [RELATED_TASK_META_KEY]: { taskId } });
