import type { ShownValue } from '../../core/turn.ts';

/** Values of tools as the demo reads them: by name, and never trusted to be there. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The fields of a result; none when only its head is shown. */
export const readValue = (value: ShownValue | undefined): Fields => readFields(value?.json ?? '{}');

function readFields(json: string): Fields {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return {};
  }
}

/** The fields of a JSON object as people write them, `url: https://…, ok: true`; empty for all else. */
export const fieldWords = (json: string): string =>
  Object.entries(readFields(json))
    .map(([name, value]) => `${name}: ${textOf(value) || JSON.stringify(value)}`)
    .join(', ');
