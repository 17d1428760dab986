import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { waitingGuidance } from '../../functions/core/guidance.ts';
import { defineTool, toolsByName, type ToolDefinition } from '../../functions/tools/define-tool.ts';
import { demoHouse } from '../running-house.ts';

/** A tool of one's own, all of it. */
const resizeImage = defineTool({
  name: 'resize_image',
  description: 'Resize an image.',
  longRunning: true,
  idempotent: true,
  input: z.object({ url: z.url(), width: z.int().min(1) }),
  output: z.object({ url: z.string() }),
  async run({ url, width }, task) {
    await task.progress(50, 'Half way');
    return { url: `${url}?w=${width}` };
  },
});

type Definition = ToolDefinition<z.ZodObject, z.ZodType>;

const right: Definition = {
  name: 'right',
  description: 'Is right.',
  input: z.object({}),
  longRunning: true,
  run: () => 'done',
};
const quick: Definition = { ...right, longRunning: false };
const descriptionOf = (definition: Partial<Definition>) =>
  defineTool({ ...right, ...definition }).description;

describe('a tool of one’s own', () => {
  it('runs in the house and gives its result', async () => {
    const house = demoHouse({ tools: [resizeImage] });
    const args = { url: 'https://example.com/a.png', width: 80 };
    const task = await house.start({ tool: 'resize_image', arguments: args });
    await house.pump();
    const ended = await house.task(task);
    expect(ended.state.status).toBe('completed');
    expect(await house.ports.tasks.result(ended)).toMatchObject({
      json: '{"url":"https://example.com/a.png?w=80"}',
    });
  });

  it('fails as a task when its result does not match its output', async () => {
    const output = z.object({ url: z.string() });
    const run = () => ({ link: 'x' }) as unknown as { url: string };
    const wrong = defineTool({ ...right, input: z.object({}), output, run });
    const house = demoHouse({ tools: [wrong] });
    const task = await house.start({ tool: 'right' });
    await house.pump();
    expect((await house.task(task)).state).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/does not match.*url: .*expected string/) },
    });
  });

  it('checks its input and names the field and what it expects', () => {
    const checked = resizeImage.checkInput({ url: 'https://example.com', width: 0 });
    expect(checked).toMatchObject({
      ok: false,
      failure: {
        tool: 'resize_image',
        flaws: [{ path: 'width', message: expect.stringContaining('>=1') }],
      },
    });
  });

  it('is run again after a worker’s death only if it says it is idempotent', () => {
    const rule = (definition: Partial<Definition>) =>
      defineTool({ ...right, ...definition }).retryRule({});
    expect(rule({})).toEqual({ idempotent: false, retries: 0 });
    expect(rule({ idempotent: true })).toEqual({ idempotent: true, retries: 3 });
    expect(rule({ idempotent: () => true, retries: 1 })).toEqual({ idempotent: true, retries: 1 });
  });
});

describe('a wrong definition fails with its name and its fault', () => {
  const nameFault = 'its name must be 1 to 64 letters, digits, _ or -';
  const inputFault = 'its input must be a z.object({ … })';
  const wrong: [string, Definition, string][] = [
    ['an empty name', { ...right, name: '' }, nameFault],
    ['a space in the name', { ...right, name: 'my tool' }, nameFault],
    ['a name of 65 letters', { ...right, name: 'x'.repeat(65) }, nameFault],
    ['a blank description', { ...right, description: ' \n' }, 'it has no description'],
    ['no description', without('description'), 'it has no description'],
    ['no input', without('input'), inputFault],
    ['an input that is no object', { ...right, input: z.string() as never }, inputFault],
    ['no run', without('run'), 'it has no run function'],
    ['negative retries', { ...right, retries: -1 }, 'retries must be a whole number, 0 to 20'],
    ['broken retries', { ...right, retries: 0.5 }, 'retries must be a whole number, 0 to 20'],
    ['21 retries', { ...right, retries: 21 }, 'retries must be a whole number, 0 to 20'],
    ['no time', { ...right, deadlineS: 0 }, 'deadlineS must be a whole number of seconds, 1 to'],
    ['too long', { ...right, deadlineS: 1e9 }, 'deadlineS must be a whole number of seconds, 1 to'],
    ['no results', { ...right, results: 0 }, 'results must be a whole number, 1 to 100'],
    ['101 results', { ...right, results: 101 }, 'results must be a whole number, 1 to 100'],
    ['a quick retry', { ...quick, retries: 1 }, 'retries is only for a longRunning tool'],
    ['a quick deadline', { ...quick, deadlineS: 9 }, 'deadlineS is only for a longRunning tool'],
    ['quick results', { ...quick, results: 2 }, 'results is only for a longRunning tool'],
    ['min above max', { ...right, results: { min: 3, max: 2 } }, 'results must be a whole number'],
    ['min of none', { ...right, results: { min: 0, max: 2 } }, 'results must be a whole number'],
    ['max of 101', { ...right, results: { min: 1, max: 101 } }, 'results must be a whole number'],
    ['a mark at 0', { ...right, progressAt: [0, 50] }, 'progressAt must be up to 8'],
    ['a mark at 100', { ...right, progressAt: [50, 100] }, 'progressAt must be up to 8'],
    ['marks that fall', { ...right, progressAt: [50, 25] }, 'progressAt must be up to 8'],
    ['a mark twice', { ...right, progressAt: [50, 50] }, 'progressAt must be up to 8'],
    ['nine marks', { ...right, progressAt: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, 'progressAt must be up'],
    ['quick marks', { ...quick, progressAt: [50] }, 'progressAt is only for a longRunning tool'],
  ];

  it.each(wrong)('%s', (_, definition, fault) => {
    expect(() => defineTool(definition)).toThrow(
      `Tool "${definition.name}" is not defined right: ${fault}`,
    );
  });

  it('no name', () => {
    expect(() => defineTool(without('name'))).toThrow(/^Tool ".*" is not defined right: its name/);
  });

  it('the name of another tool', () => {
    expect(() => toolsByName([defineTool(right), defineTool(quick)])).toThrow(
      'Two tools are named "right".',
    );
  });

  it('the name of a tool that is always there', () => {
    const mine = defineTool({ ...right, name: 'wait_for_task' });
    expect(() => demoHouse({ tools: [mine] })).toThrow('Two tools are named "wait_for_task".');
  });
});

describe('the guidance', () => {
  it('ends the description of a long-running tool', () => {
    expect(descriptionOf({})).toBe(`Is right.\n\n${waitingGuidance}`);
  });

  it('stands there once, at the very end, also if the author wrote it', () => {
    const written = [
      `Is right. ${waitingGuidance}`,
      `${waitingGuidance} Is right.`,
      `Is right.\n\n${waitingGuidance}\n\n${waitingGuidance}`,
    ];
    for (const description of written) {
      expect(descriptionOf({ description })).toBe(`Is right.\n\n${waitingGuidance}`);
    }
  });

  it('follows the number of results when there are several', () => {
    const description = descriptionOf({ results: 3 });
    expect(description.endsWith(waitingGuidance)).toBe(true);
    expect(description.slice(0, -waitingGuidance.length)).toMatch(/^Is right\.\s+.*\b3 results\b/);
    expect(descriptionOf({ results: 1 })).not.toContain('results');
    expect(descriptionOf({ results: { min: 1, max: 5 } })).toContain('between 1 and 5 results');
    expect(descriptionOf({ results: () => 3 })).not.toContain('results');
  });

  it('says of each call how many results it gives', () => {
    const countOf = (results?: Definition['results']) =>
      defineTool({
        ...right,
        input: z.object({ n: z.int() }),
        ...(results === undefined ? {} : { results }),
      }).results({ n: 4 });
    expect(countOf()).toEqual({ min: 1, max: 1 });
    expect(countOf(3)).toEqual({ min: 3, max: 3 });
    expect(countOf({ min: 1, max: 3 })).toEqual({ min: 1, max: 3 });
    expect(countOf(({ n }) => Number(n))).toEqual({ min: 4, max: 4 });
  });

  it('is not told of a quick tool', () => {
    expect(descriptionOf({ longRunning: false })).toBe('Is right.');
  });

  it('stands once at the end of every long-running tool of a deployment', () => {
    const tools = [...demoHouse().ports.tools.values()];
    for (const { description, longRunning } of tools) {
      expect(description.split(waitingGuidance)).toHaveLength(longRunning ? 2 : 1);
      expect(description.endsWith(waitingGuidance)).toBe(longRunning);
    }
  });
});

function without(part: keyof Definition): Definition {
  return Object.fromEntries(Object.entries(right).filter(([name]) => name !== part)) as never;
}
