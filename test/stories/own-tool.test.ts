import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { waitingGuidance } from '../../functions/core/guidance.ts';
import { workerDeath } from '../../functions/core/author-errors.ts';
import type { Tool } from '../../functions/core/tool.ts';
import { defineTool } from '../../functions/tools/define-tool.ts';
import { meetAgent, meetDoor } from './agent.ts';

/** The code under "Your own tool", as a newcomer would copy it. */
function ownToolInReadme(): string {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, section = ''] = readme.split('\n## Your own tool\n');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(section) ?? [];
  return code.trimEnd();
}

const isImport = (line: string) => line.startsWith('import ');

/** Whoever renders a scene: at once, or a worker dies of it the first time. */
function renderer(scenesBeforeDeath = Infinity) {
  let scenes = 0;
  return async () => {
    if (scenes === scenesBeforeDeath) {
      scenes = Infinity;
      throw workerDeath;
    }
    scenes += 1;
  };
}

/** The README's own text, run: nothing of it is written a second time here but where its imports come from. */
async function toolOf(sleep: () => Promise<void>): Promise<Tool> {
  const lines = ownToolInReadme().split('\n');
  const body = lines.filter((line) => !isImport(line)).join('\n');
  const code = `export default (defineTool, z, sleep) => {\n${body.replace('export const renderVideo =', 'return')}\n};`;
  const own = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly default: (...given: readonly unknown[]) => Tool;
  };
  return own.default(defineTool, z, sleep);
}

const script = ['A boat leaves', 'Rain falls', 'The sea calms', 'A boat returns'].join('\n');
const tool = 'render_video';
const videoUrl = /^https:\/\/videos\.example\.com\/task_/;

describe('your own tool, as the README writes it', () => {
  it('has at most 15 lines below its imports, which are all it needs', () => {
    const [imports = '', code = ''] = ownToolInReadme().split('\n\n');
    expect(imports.split('\n').every(isImport)).toBe(true);
    for (const name of ['sleep', 'z', 'defineTool']) {
      expect(imports).toMatch(new RegExp(`\\b${name}\\b.* from `));
    }
    expect(code).toMatch(/^export const renderVideo = defineTool\(\{/);
    expect(code.split('\n').length).toBeLessThanOrEqual(15);
  });

  it('is there for every client: listed with the guidance, and its result comes back', async (test) => {
    const { call, listTools } = await meetAgent(test, { tools: [await toolOf(renderer())] });
    const listed = (await listTools()).find(({ name }) => name === tool);
    expect(listed?.description).toBe(`Render a video from a script.\n\n${waitingGuidance}`);
    expect(listed?.inputSchema).toMatchObject({ required: ['script'] });
    expect(await call(tool, { script })).toEqual({ url: expect.stringMatching(videoUrl) });
    await expect(call(tool, { script: 7 })).rejects.toThrow(/script: /);
  });

  it('runs again after its worker died, under the same key', async () => {
    const { start, read, house } = meetDoor({ tools: [await toolOf(renderer(2))] });
    const { json } = await start({ tool, arguments: { script } });
    await house.runFor(1000);
    const half = { percent: 50, message: 'Rain falls' };
    expect(await read(json.task_id)).toMatchObject({ status: 'working', progress: half });
    await house.runFor(300_000);
    expect(await read(json.task_id)).toMatchObject({
      status: 'completed',
      progress: { percent: 100, message: 'A boat returns' },
      result: { url: `https://videos.example.com/${String(json.task_id)}` },
      attempt: 2,
    });
  });
});
