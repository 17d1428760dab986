import { describe, expect, it } from 'vitest';
import { whoForm } from './instances/suite-tools.ts';
import { useStage, type Stage } from './stage.ts';
import { declaring, legacy, modern, type Wire } from './wire.ts';

let stage: Stage;
let wire: Wire;
useStage('ask-first', 'hasty', (opened) => {
  stage = opened;
  wire = { url: stage.url, key: stage.key('alice'), capabilities: { elicitation: {} } };
});

const call = async (more: Record<string, unknown> = {}, over: Partial<Wire> = {}) => {
  const params = { name: 'greet_later', arguments: { politely: true }, ...more };
  return (await modern({ ...wire, ...over }, 'tools/call', params)).answer;
};
const accept = { who: { action: 'accept', content: { name: 'Ann' } } };

describe('a tool that asks before it begins', () => {
  it('asks a client that can ask its user, and begins with the answer', async () => {
    const { result } = await call();
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        who: {
          method: 'elicitation/create',
          params: { message: 'Who are you?', requestedSchema: whoForm },
        },
      },
    });
    const { requestState } = result;
    const inline = await call({ inputResponses: accept, requestState });
    expect(inline.result.structuredContent).toEqual({ greeting: 'Hello, Ann!' });
    const capabilities = { ...wire.capabilities, ...declaring };
    const task = await call({ inputResponses: accept, requestState }, { capabilities });
    expect(task.result.resultType).toBe('task');
  });

  it('begins at once when it has been told, and says what is missing where it cannot ask', async () => {
    const told = await call({ arguments: { politely: true, who: { name: 'Bo' } } });
    expect(told.result.structuredContent).toEqual({ greeting: 'Hello, Bo!' });
    const missing = { isError: true, content: [{ text: expect.stringContaining('who') }] };
    expect((await call({}, { capabilities: {} })).result).toMatchObject(missing);
    const params = { name: 'greet_later', arguments: { politely: true } };
    expect((await legacy(wire, 'tools/call', params)).answer.result).toMatchObject(missing);
  });

  it('does not begin when the user declines', async () => {
    const { requestState } = (await call()).result;
    const inputResponses = { who: { action: 'decline' } };
    const declined = await call({ inputResponses, requestState });
    expect(declined.result).toMatchObject({
      isError: true,
      content: [{ text: 'The question "who" was not answered.' }],
    });
  });

  it('takes no state that is forged, foreign, late, or of another call', async () => {
    const { requestState } = (await call()).result;
    const late = stage.sealer.seal('mcp asking', {}, stage.clock.nowMs() - 1);
    const wrong = [
      call({ inputResponses: accept, requestState: `${requestState}x` }),
      call({ inputResponses: accept, requestState }, { key: stage.key('bob') }),
      call({ inputResponses: accept, requestState: late }),
      call({ inputResponses: accept, requestState, arguments: { politely: false } }),
    ];
    for (const { error } of await Promise.all(wrong)) {
      expect(error).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('requestState'),
      });
    }
  });
});
