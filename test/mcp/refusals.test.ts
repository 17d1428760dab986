import { describe, expect, it } from 'vitest';
import { useStage } from './stage.ts';
import { declaring, legacy, modern, type Reply, type Wire } from './wire.ts';

let foreign: string;
let bob: Wire;
useStage('refusals', 'hasty', async ({ url, key }) => {
  bob = { url, key: key('bob'), capabilities: declaring };
  const alice = { ...bob, key: key('alice') };
  const params = { name: 'demo_wait', arguments: { seconds: 3000 } };
  foreign = (await modern(alice, 'tools/call', params)).answer.result.taskId;
});

const neverWas = `task_${'x'.repeat(32)}`;
const malformed = ['nonsense', 'task_', '../x', 'a b', 'ü', 'x'.repeat(500), '__proto__', '%00'];
const shapeless = [undefined, null, 7, {}, ['task']];

const told = ({ status, text }: Reply) => ({
  status,
  text: text.replaceAll(/^(id|retry): .*$/gm, ''),
});

describe.each([
  ['2026-07-28', modern, ['tasks/get', 'tasks/update', 'tasks/cancel']],
  ['2025-11-25', legacy, ['tasks/get', 'tasks/result', 'tasks/cancel']],
] as const)('of %s', (_, ask, methods) => {
  it.each(methods)(
    '%s knows no difference between a foreign, an unknown and a malformed id',
    async (method) => {
      const unknown = told(await ask(bob, method, { taskId: neverWas }));
      expect(unknown.text).toContain('"code":-32602');
      for (const taskId of [foreign, ...malformed]) {
        expect(told(await ask(bob, method, { taskId }))).toEqual(unknown);
      }
    },
  );
});

it('an id that is no text is refused in the same words', async () => {
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    const unknown = told(await legacy(bob, method, { taskId: neverWas }));
    for (const taskId of shapeless) {
      expect(told(await legacy(bob, method, { taskId }))).toEqual(unknown);
    }
  }
});

it('a result of another owner is no resource', async () => {
  for (const ask of [modern, legacy]) {
    const read = async (taskId: string) => {
      const reply = await ask(bob, 'resources/read', { uri: `task://${taskId}/result` });
      return reply.text.replaceAll(taskId, 'the id');
    };
    expect(await read(foreign)).toBe(await read(neverWas));
  }
});
