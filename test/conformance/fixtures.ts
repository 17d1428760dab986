import * as z from 'zod';
import { FatalError } from '../../functions/core/author-errors.ts';
import type { Tool } from '../../functions/core/tool.ts';
import type { Ports } from '../../functions/ports.ts';
import { defineTool } from '../../functions/tools/define-tool.ts';

/** The tools that the conformance suite calls by name, made as any author would make them. */
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const image = { type: 'image', data: png, mimeType: 'image/png' };

const quick = (name: string, answer: (input: Record<string, unknown>) => unknown): Tool =>
  defineTool({
    name,
    description: `Answers at once (${name}).`,
    input: z.looseObject({}),
    run: (input) => answer(input),
  });

export const contentFixtures: readonly Tool[] = [
  quick('test_simple_text', () => text('This is a simple text response for testing.')),
  quick('test_image_content', () => ({ content: [image] })),
  quick('test_audio_content', () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  })),
  quick('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'This is an embedded resource content.')],
  })),
  quick('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', '{"test":"data","value":123}'),
    ],
  })),
  quick('test_logging_tool', () => text('Nothing was logged to the client.')),
  quick('test_error_handling', () => {
    throw new FatalError('This tool intentionally returns an error for testing');
  }),
];

const resource = (uri: string, words: string) => ({
  type: 'resource',
  resource: {
    uri,
    mimeType: uri.includes('mixed') ? 'application/json' : 'text/plain',
    text: words,
  },
});

/** Every keyword must come through tools/list as it stands here. */
const schema2020: Tool = {
  ...quick('json_schema_2020_12_tool', () => text('ok')),
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

export const taskFixtures = ({ clock }: Pick<Ports, 'clock'>): readonly Tool[] => [
  schema2020,
  defineTool({
    name: 'test_missing_capability',
    description: 'Only for clients that understand tasks.',
    longRunning: true,
    tasksOnly: true,
    input: z.looseObject({}),
    run: () => text('ok'),
  }),
  defineTool({
    name: 'greet',
    description: 'Greets at once.',
    input: z.object({ name: z.string() }),
    run: ({ name }) => text(`Hello, ${name}!`),
  }),
  defineTool({
    name: 'slow_compute',
    description: 'Computes for some seconds.',
    longRunning: true,
    idempotent: true,
    input: z.object({ seconds: z.number(), label: z.string().optional() }),
    async run({ seconds, label = '' }, task) {
      for (let step = 1; step <= 4; step += 1) {
        await clock.sleep((seconds * 1000) / 4, task.signal);
        task.signal.throwIfAborted();
        await task.progress(step * 25, `step ${step} of 4`);
      }
      return text(`Computed for ${seconds} s ${label}`);
    },
  }),
  defineTool({
    name: 'failing_job',
    description: 'Fails, and says so.',
    longRunning: true,
    tasksOnly: true,
    input: z.object({}),
    async run(_input, task) {
      await clock.sleep(300, task.signal);
      throw new FatalError('failing_job was told to fail.');
    },
  }),
  defineTool({
    name: 'protocol_error_job',
    description: 'Never ends by itself: its deadline ends it.',
    longRunning: true,
    deadlineS: 1,
    input: z.object({}),
    run: (_input, task) => clock.sleep(60_000, task.signal),
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports progress at 0, 50 and 100.',
    longRunning: true,
    idempotent: true,
    input: z.looseObject({}),
    async run(_input, task) {
      for (const percent of [0, 50, 100]) {
        await task.progress(percent, `${percent} percent`);
        await clock.sleep(400, task.signal);
      }
      return text('done');
    },
  }),
  defineTool({
    name: 'test_reconnection',
    description: 'Takes longer than a connection lasts.',
    longRunning: true,
    idempotent: true,
    input: z.looseObject({}),
    async run(_input, task) {
      await clock.sleep(1500, task.signal);
      return text('Reconnection test completed successfully');
    },
  }),
];
