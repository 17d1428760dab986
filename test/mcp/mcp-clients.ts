import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every client that the door is driven with, behind the few words the tests need. */
export interface McpClient {
  listTools(): Promise<readonly ListedTool[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}

export interface ToolAnswer {
  readonly structuredContent?: Record<string, unknown> | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean | undefined;
}

/** Connect to a URL, with a key where there is one. */
export type Connect = (url: string, key?: string) => Promise<McpClient>;

const who = { name: 'a test', version: '1.0.0' };
const optionsFor = (key: string | undefined) =>
  key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } };

export const connectV1: Connect = async (url, key) => {
  const client = new OldClient(who);
  await client.connect(new OldTransport(new URL(url), optionsFor(key)));
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolAnswer,
    close: () => client.close(),
  };
};

export const connectV2 =
  (mode: 'legacy' | 'auto', version: string): Connect =>
  async (url, key) => {
    const client = new Client(who, mode === 'legacy' ? {} : { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), optionsFor(key)));
    const spoken = client.getNegotiatedProtocolVersion();
    if (spoken !== version) throw new Error(`Spoken is ${spoken}, not ${version}.`);
    return {
      listTools: async () => (await client.listTools()).tools,
      call: async (name, args = {}) =>
        (await client.callTool({ name, arguments: args })) as ToolAnswer,
      close: () => client.close(),
    };
  };

const inspectorFile = 'node_modules/@modelcontextprotocol/inspector-cli/build/index.js';

/** The Inspector's command line: a process per request. It cannot send a key. */
export const connectInspector: Connect = async (url) => {
  const home = mkdtempSync(join(tmpdir(), 'boomerang-home-'));
  const inspect = (...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      const all = [inspectorFile, url, '--transport', 'http', ...args];
      const env = { ...process.env, HOME: home };
      execFile(process.execPath, all, { env }, (error, stdout, stderr) => {
        if (error) reject(new Error(stderr || stdout || error.message));
        else resolve(stdout);
      });
    });
  return {
    async listTools() {
      const listed = JSON.parse(await inspect('--method', 'tools/list')) as { tools: ListedTool[] };
      return listed.tools;
    },
    async call(name, args = {}) {
      const pairs = Object.entries(args).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const call = ['--method', 'tools/call', '--tool-name', name];
      return JSON.parse(await inspect(...call, ...pairs)) as ToolAnswer;
    },
    close: async () => rmSync(home, { recursive: true, force: true }),
  };
};
