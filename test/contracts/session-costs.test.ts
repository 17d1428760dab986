import { describe, expect, it } from 'vitest';
import { recordDynamo, type Ledger } from '../../bench/recorder.ts';
import { dynamoSessionStore } from '../../functions/adapters/dynamo-session-store.ts';
import { newTaskIds, newToken } from '../../functions/adapters/process.ts';
import { asCallId } from '../../functions/core/ids.ts';
import type { Intent, OpenCall, Reply } from '../../functions/core/turn.ts';
import { tables } from '../../infra/definitions.ts';
import { makeTable } from '../../local/make-resources.ts';
import { startTableEngine } from '../../local/table-engine.ts';
import { documentClient } from './engines.ts';
import {
  inputNumbered,
  near,
  newKey,
  newSession,
  sampleAtMs as atMs,
  sampleIntent,
  sampleReply,
} from './session-samples.ts';

const call: OpenCall = {
  callId: asCallId('toolu_01A09q90qw90lq917835lq9'),
  taskId: newTaskIds()(),
  tool: 'deploy_to_staging',
  turn: 1,
  index: 0,
  consumed: 0,
  toldPercent: 0,
  tellings: 0,
  received: 0,
};
const { callId, taskId, tool } = call;

const said = (text: string) => [{ number: 1, inputId: 'in_9f86d081884c7d65', text, atMs }];
const result = JSON.stringify({
  status: 'success',
  url: 'https://staging.example.com/v2.5.0',
  duration: '8m 12s',
});

/** The three turns of a deployment: the call, a word in between, the end. */
const turns: readonly [string, Intent, Reply][] = [
  [
    'that makes a call',
    sampleIntent({ inputs: said('Deploy version v2.5.0 to staging and tell me the URL, please.') }),
    sampleReply({
      calls: [{ callId, tool, taskId, arguments: { version: 'v2.5.0', environment: 'staging' } }],
      finishReason: 'input_required',
    }),
  ],
  [
    'in between',
    sampleIntent({
      inputs: said('How far is it? And what is the capital of France?'),
      placeholders: [
        { callId, taskId, initial: { json: '{"deployment":"dep_8812"}', bytes: 25, cut: false } },
      ],
      open: [call],
    }),
    sampleReply({
      text: 'Paris. The deployment is still running; I will tell you its URL when it is done.',
      finishReason: 'input_required',
    }),
  ],
  [
    'that brings the result',
    sampleIntent({
      trigger: 'task',
      actor: callId,
      deliveries: [
        {
          callId,
          taskId,
          tool,
          sequence: 5,
          kind: 'end',
          way: 'append',
          status: 'completed',
          value: { json: result, bytes: result.length, cut: false },
        },
      ],
    }),
    sampleReply({
      text: 'It is done: v2.5.0 is at https://staging.example.com/v2.5.0, after 8 min 12 s.',
    }),
  ],
];

async function measuredStore() {
  const engine = await startTableEngine();
  const client = documentClient(engine.url);
  const table = await makeTable(client, 'sessions', tables.sessions);
  const ledger: Ledger = { requests: [] };
  recordDynamo(client, ledger);
  const units = () => ledger.requests.map((one) => one.tableUnits + one.indexUnits);
  return { store: dynamoSessionStore({ client, table }), units, stop: engine.stop };
}

describe('a session pays', () => {
  it.each(turns)('one unit for the intent and one for the reply of a turn %s', async (...turn) => {
    const [, asked, answered] = turn;
    const { store, units, stop } = await measuredStore();
    const key = newKey();
    const claim = { fence: 1, untilMs: atMs, token: newToken() };
    const parts = { intent: near(asked), reply: undefined, quick: undefined };
    await store.putTurn(key, { number: 1, claim, ...parts });
    await store.addReply(key, 1, { fence: 1, reply: near(answered), untilMs: 0 });
    await stop();
    expect(units()).toEqual([1, 1]);
  });

  it('two units for itself and its place in the list, one for an input', async () => {
    const { store, units, stop } = await measuredStore();
    const session = newSession();
    await store.create(session);
    await store.putInput(session, inputNumbered(1, 'Deploy version v2.5.0 to staging, please.'));
    await stop();
    expect(units()).toEqual([2, 1]);
  });

  it('for a turn what the turn is worth, however long its history', async () => {
    const { store, units, stop } = await measuredStore();
    const key = newKey();
    const claim = { fence: 1, untilMs: atMs, token: newToken() };
    const parts = { intent: near(sampleIntent({})), reply: undefined, quick: undefined };
    for (let number = 1; number <= 200; number += 1) {
      await store.putTurn(key, { number, claim, ...parts });
    }
    await stop();
    expect(units().at(-1)).toBe(units()[0]);
  });
});
