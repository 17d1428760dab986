import type { TestContext } from 'vitest';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { connectV2, type ListedTool } from '../mcp/mcp-clients.ts';
import { openDoor } from '../api/door.ts';
import type { HouseOptions, MemoryHouse } from '../house.ts';
import { demoHouse, serveHouse } from '../running-house.ts';

export interface Agent {
  readonly house: MemoryHouse;
  /** Call a tool and read the structured answer; an error is thrown. */
  readonly call: (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly listTools: () => Promise<readonly ListedTool[]>;
}

/** A standard queue may deliver any message again, so every promise is kept in a house where each is. */
export const twice: HouseOptions = { deliverTwice: true };

const connect = connectV2('auto', '2026-07-28');

/** An agent at the MCP door of a house in which time passes, until its test is over. */
export async function meetAgent(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  options: HouseOptions = {},
): Promise<Agent> {
  const house = demoHouse({ ...twice, ...options });
  const running = await serveHouse(house, loopbackAuth);
  const client = await connect(`${running.url}/mcp`);
  onTestFinished(async () => {
    await client.close();
    await running.stop();
  });
  return {
    house,
    listTools: () => client.listTools(),
    async call(tool, args = {}) {
      const { isError, structuredContent = {}, content } = await client.call(tool, args);
      if (isError) throw new Error(`${tool} answered: ${String(content[0]?.text)}`);
      return structuredContent;
    },
  };
}

/** The REST door of such a house, in which time passes only when the story says so. */
export function meetDoor(options: HouseOptions = {}) {
  const door = openDoor({ ...twice, ...options });
  /** Run a quick tool and say its result. */
  const run = async (tool: string, args: Record<string, unknown> = {}) => {
    const { json } = await door.start({ tool, arguments: args });
    if (json.status !== 'completed') throw new Error(`${tool} answered: ${JSON.stringify(json)}`);
    return json.result as Record<string, unknown>;
  };
  const read = async (taskId: unknown) => (await door.ask(`/v1/tasks/${String(taskId)}`)).json;
  return { ...door, run, read };
}
