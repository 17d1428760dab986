import * as z from 'zod';
import type { Tool } from '../../../functions/core/tool.ts';
import { defineTool } from '../../../functions/tools/define-tool.ts';
import { testTool } from '../../test-tool.ts';

/** Tools that the suite needs and no deployment has. */

const picky: Tool = { ...testTool(), name: 'picky', tasksOnly: true };

export const whoForm = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};
const greetLater = defineTool({
  name: 'greet_later',
  description: 'Greets whoever answers.',
  longRunning: true,
  input: z.object({ politely: z.boolean(), who: z.object({ name: z.string() }) }),
  asksFirst: () => ({ who: { message: 'Who are you?', schema: whoForm } }),
  run: ({ who }) => ({ greeting: `Hello, ${who.name}!` }),
});

const plainText = { type: 'string' };
/** Asks one question after another: first for its arguments, then as it runs, each with the schema it is told. */
const interview = (name: string, deadlineS: number) =>
  defineTool({
    name,
    description: 'Asks and tells what it heard.',
    longRunning: true,
    idempotent: true,
    deadlineS,
    input: z.looseObject({ asks: z.array(z.record(z.string(), z.unknown())) }),
    asksFirst(known) {
      const keys = z.array(z.string()).catch([]).parse(known.first);
      const open = keys.find((key) => !Object.hasOwn(known, key));
      return open === undefined ? {} : { [open]: { message: 'And then?', schema: plainText } };
    },
    async run({ asks, ...known }, task) {
      const heard: unknown[] = [];
      for (const [at, schema] of asks.entries()) {
        heard.push(await task.ask({ key: `q${at}`, message: `What of ${at}?`, schema }));
      }
      return { ...known, heard };
    },
  });

const bytes = 200_000;
export const longRows = { rows: ['zwölf €'.repeat(bytes / 10), 'end'] };
const report = defineTool({
  name: 'report',
  description: 'A long report.',
  longRunning: true,
  input: z.object({}),
  output: z.object({ rows: z.array(z.string()) }),
  run: () => longRows,
});
const letter = defineTool({
  name: 'letter',
  description: 'A long letter, as content of its own.',
  longRunning: true,
  input: z.object({}),
  run: () => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }], isError: true }),
});

export const suiteTools: readonly Tool[] = [
  picky,
  greetLater,
  interview('interview', 24 * 60 * 60),
  interview('short_interview', 30),
  report,
  letter,
];
