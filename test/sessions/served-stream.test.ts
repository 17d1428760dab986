import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { twoOwners } from '../api/door.ts';
import { demoHouse, serveHouse, type RunningHouse } from '../running-house.ts';

const house = demoHouse();
let running: RunningHouse;
beforeAll(async () => {
  running = await serveHouse(house, twoOwners);
});
afterAll(() => running.stop());

const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' };

async function newSession(): Promise<string> {
  const body = JSON.stringify({ policy: { debounce_ms: 0 } });
  const answer = await fetch(`${running.url}/v1/sessions`, { method: 'POST', headers, body });
  return ((await answer.json()) as { session_id: string }).session_id;
}

const say = (id: string, text: string) =>
  fetch(`${running.url}/v1/sessions/${id}/input`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text }),
  });

/** Read until the text contains something. */
async function readUntil(body: ReadableStream<Uint8Array> | null, wanted: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(wanted)) return text;
  }
  return text;
}

describe('a stream over HTTP', () => {
  it('tells a turn while it is open', async () => {
    const id = await newSession();
    const answer = await fetch(`${running.url}/v1/sessions/${id}/events`, { headers });
    await say(id, 'Hi');
    const text = await readUntil(answer.body, '"status":"idle"');
    expect(text).toMatch(/event: turn\ndata: \{"number":1,"trigger":"user","text":"ok"/);
  });

  it('is let go of when its reader hangs up', async () => {
    const id = await newSession();
    const hangUp = new AbortController();
    const { signal } = hangUp;
    const answer = await fetch(`${running.url}/v1/sessions/${id}/events`, { headers, signal });
    expect(answer.status).toBe(200);
    const reads = () => countReads(id);
    expect(await reads()).toBeGreaterThan(0);
    hangUp.abort();
    await expect.poll(reads).toBe(0);
  });
});

/** How often the events of a session are read within a moment. */
async function countReads(id: string): Promise<number> {
  const { sessions } = house.ports;
  const turnsAfter = sessions.turnsAfter.bind(sessions);
  let count = 0;
  const counted: typeof turnsAfter = (key, number, limit) => {
    if (key.sessionId === id) count += 1;
    return turnsAfter(key, number, limit);
  };
  Object.assign(sessions, { turnsAfter: counted });
  await delay(150);
  Object.assign(sessions, { turnsAfter });
  return count;
}
