import { asOwner } from '../../functions/core/ids.ts';
import { asSessionId } from '../../functions/core/ids.ts';
import { policyDefault, type Session } from '../../functions/core/session.ts';
import { keyOf } from '../../functions/core/task.ts';
import { takeInput } from '../../functions/sessions/take-input.ts';
import { cancelTask } from '../../functions/tasks/cancel-task.ts';
import { endResultOf } from './ci-system.ts';
import { retrying } from './clients.ts';
import { portsFor } from './faulty-ports.ts';
import { recordOf } from './ledger.ts';
import type { PlannedInput, PlannedSession } from './session-plans.ts';
import { digestOfValue, toolPlans } from './tools.ts';
import { beginLife, pause, saw, violate, type World } from './world.ts';

const owner = asOwner('ada');

/** Put a session and let its user speak and cancel at the planned times. */
export async function beginSession(world: World, planned: PlannedSession): Promise<void> {
  const session = sessionOf(world, planned);
  await world.sessionStore.create(session);
  world.sessions.records.set(session.sessionId, {
    session,
    name: planned.name,
    accepted: new Map(),
    requests: [],
    running: new Set(),
  });
  announce(world, planned);
  for (const input of planned.inputs) void speakingUser(world, session, input);
  for (const atMs of planned.cancelsAtMs) void cancellingUser(world, session, atMs);
}

function sessionOf(world: World, { name }: PlannedSession): Session {
  const { chance } = world;
  return {
    owner,
    sessionId: asSessionId(`sess_${name.replaceAll(' ', '_')}`),
    createdAtMs: world.scheduler.nowMs(),
    system: '',
    model: undefined,
    tools: undefined,
    ownTools: [],
    webhookUrl: undefined,
    policy: {
      ...policyDefault,
      pending: chance.pick(['all', 'each']),
      slots: chance.pick([1, 2, 3]),
      doubleText: chance.pick(['enqueue', 'enqueue', 'merge', 'interrupt']),
      consolidation: 'append',
    },
    snapshot: undefined,
  };
}

/** What each call must come to, known before any model makes it. */
function announce(world: World, { inputs, clean }: PlannedSession): void {
  for (const { tool, input } of inputs.flatMap(({ wish }) => wish.calls)) {
    if (tool === 'peek') continue;
    const plan = toolPlans[tool];
    world.ledger.calls.set(digestOfValue(input), {
      tool,
      idempotent: plan.idempotent,
      resultDigest: digestOfValue(endResultOf(plan, input)),
      expected: plan.expected(input),
      clean,
    });
  }
}

/** Say one thing, again and again under the same id until it is taken. */
async function speakingUser(world: World, session: Session, planned: PlannedInput): Promise<void> {
  world.clientsBusy += 1;
  await pause(world, planned.atMs);
  const life = beginLife(world, 'user');
  void life.died.then(() => (world.clientsBusy -= 1));
  const ports = portsFor(world, life);
  const { inputId, wish } = planned;
  const text = JSON.stringify(wish);
  const taken = await retrying(world, () => takeInput(ports, session, { text, inputId }));
  if (taken?.ok) {
    const known = world.sessions.records.get(session.sessionId);
    const before = known?.accepted.get(taken.value.number);
    if (before !== undefined && before !== inputId) {
      violate(world, 'S7', `${inputId} and ${before} have one number`);
    }
    known?.accepted.set(taken.value.number, inputId);
    saw(world, 'input taken');
  } else if (taken) violate(world, 'input', `${inputId} was refused: ${taken.failure.reason}`);
  life.kill();
}

/** Cancel some call of the session that is under way. */
async function cancellingUser(world: World, session: Session, atMs: number): Promise<void> {
  await pause(world, atMs);
  const { items } = await world.store.list(owner, { limit: 1000 });
  const own = items.filter(
    ({ caller, state }) =>
      caller.kind === 'session' &&
      caller.sessionId === session.sessionId &&
      !('endedAtMs' in state),
  );
  if (own.length === 0) return;
  const task = world.chance.pick(own);
  recordOf(world.ledger, task.taskId).cancelAsked = true;
  const life = beginLife(world, 'canceller');
  const ports = portsFor(world, life);
  await retrying(world, () => cancelTask(ports, keyOf(task)));
  saw(world, 'session call cancelled');
  life.kill();
}
