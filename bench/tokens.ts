import '../local/quiet.ts';
import { measuredHouse, type MeasuredHouse } from './life.ts';
import { measuredModel, measuredSession } from './session-life.ts';
import { liveTool } from './session-tool.ts';
import { eventTokens, rowOf, type TokenRow } from './token-count.ts';
import {
  blockingTokens,
  callId,
  pollingTokens,
  questions,
  result,
  system,
  wish,
} from './token-patterns.ts';

const reports = 20;
/** Where the tool has its model told, if it is to be told at all. */
const marks = [25, 50, 75];

/** The real loop on the embedded engines: twenty reports and a result, and nobody talks meanwhile. */
export async function boomerangTokens(): Promise<TokenRow> {
  const house = await measuredHouse(() => liveTool(reports, { result }));
  const { talk, requests } = await begin(house);
  await house.workOnce();
  await talk.resumeAll();
  await house.stop();
  return rowOf('boomerang', requests);
}

/**
 * The same with a word of the user after every few reports; what the tool declares is told with them. The
 * last report waits for the last word, so that the end comes by itself.
 */
export async function chattedTokens(chats: readonly string[]): Promise<TokenRow> {
  const gates = [...chats, ''].map(() => gate());
  const perChat = reports / chats.length;
  const gateOf = (n: number) => (n === reports ? gates.at(-1) : gates[Math.ceil(n / perChat) - 1]);
  const mayReport = async (n: number) => gateOf(n)?.opened;
  const house = await measuredHouse(() =>
    liveTool(reports, { result, progressAt: marks, mayReport }),
  );
  const { talk, requests, reported } = await begin(house);
  const working = house.workOnce();
  for (const [index, text] of chats.entries()) {
    gates[index]?.open();
    await reported(Math.min((index + 1) * perChat, reports - 1));
    await talk.say(text);
    await talk.resumeAll();
  }
  gates.at(-1)?.open();
  await working;
  await talk.resumeAll();
  await house.stop();
  return rowOf(`boomerang, chat meanwhile, told at ${marks.join(', ')}`, requests);
}

async function begin(house: MeasuredHouse) {
  const { model, requests } = measuredModel((_request, count) =>
    count === 1 ? { text: 'On it.', calls: [{ id: callId, name: 'measured', arguments: {} }] } : {},
  );
  const talk = await measuredSession(house, model, { system });
  await talk.say(wish);
  await talk.resumeAll();
  const reported = async (count: number) => {
    for (;;) {
      const { items } = await house.ports.tasks.list(talk.session.owner, { limit: 1 });
      if ((items[0]?.sequence ?? 0) >= count) return;
    }
  };
  return { talk, requests, reported };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

if (process.argv[1]?.endsWith('tokens.ts')) {
  const print = (row: object) => process.stdout.write(`${JSON.stringify(row)}\n`);
  const [blocking, boomerang] = [blockingTokens([]), await boomerangTokens()];
  const [waited, chatted] = [blockingTokens(questions), await chattedTokens(questions)];
  for (const row of [blocking, boomerang, pollingTokens(10), waited, chatted]) print(row);
  print({ total_ratio: boomerang.total / blocking.total });
  print({ uncached_ratio_with_chat: chatted.uncached / waited.uncached });
  print({ event_tokens: eventTokens() });
}
