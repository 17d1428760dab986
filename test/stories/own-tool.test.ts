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

interface Submission {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A render farm as the README's tool expects one: the same key gets the same video. */
function renderFarm(scenesBeforeDeath = Infinity) {
  const videos = new Map<string, string>();
  const submit = async (script: string, { key, signal }: Submission) => {
    const scenes = script.split('. ');
    const isNew = !videos.has(key);
    if (isNew) videos.set(key, `https://farm.example/${videos.size}`);
    return {
      url: videos.get(key),
      async *scenes() {
        for (const [index, title] of scenes.entries()) {
          signal.throwIfAborted();
          if (isNew && index === scenesBeforeDeath) throw workerDeath;
          yield { percent: (100 * (index + 1)) / scenes.length, title };
        }
      },
    };
  };
  return { videos, submit };
}

/** The README's own text, run: nothing of it is written a second time here. */
async function toolOf(farm: ReturnType<typeof renderFarm>): Promise<Tool> {
  const body = ownToolInReadme().replace('export const renderVideo =', 'return');
  const code = `export default (defineTool, z, farm) => {\n${body}\n};`;
  const own = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly default: (...given: readonly unknown[]) => Tool;
  };
  return own.default(defineTool, z, farm);
}

const script = 'A boat leaves. Rain falls. The sea calms. A boat returns';
const tool = 'render_video';

describe('your own tool, as the README writes it', () => {
  it('has at most 15 lines', () => {
    const lines = ownToolInReadme().split('\n');
    expect(lines[0]).toContain('defineTool({');
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  it('is there for every client: listed with the guidance, and its result comes back', async (test) => {
    const { call, listTools } = await meetAgent(test, { tools: [await toolOf(renderFarm())] });
    const listed = (await listTools()).find(({ name }) => name === tool);
    expect(listed?.description).toBe(`Render a video from a script.\n\n${waitingGuidance}`);
    expect(listed?.inputSchema).toMatchObject({ required: ['script'] });
    expect(await call(tool, { script })).toEqual({ url: 'https://farm.example/0' });
    await expect(call(tool, { script: 7 })).rejects.toThrow(/script: /);
  });

  it('runs again after its worker died, and the farm renders one video', async () => {
    const farm = renderFarm(2);
    const { start, read, house } = meetDoor({ tools: [await toolOf(farm)] });
    const { json } = await start({ tool, arguments: { script } });
    await house.runFor(1000);
    const half = { percent: 50, message: 'Rain falls' };
    expect(await read(json.task_id)).toMatchObject({ status: 'working', progress: half });
    await house.runFor(300_000);
    expect(await read(json.task_id)).toMatchObject({
      status: 'completed',
      progress: { percent: 100, message: 'A boat returns' },
      result: { url: 'https://farm.example/0' },
      attempt: 2,
    });
    expect(farm.videos.size).toBe(1);
  });
});
