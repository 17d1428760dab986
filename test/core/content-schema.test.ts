import { describe, expect, it } from 'vitest';
import { contentFlaws, unknownKeyword } from '../../functions/core/content-schema.ts';
import type { JsonSchema } from '../../functions/core/tool.ts';

const choices = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
];

const form: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4, title: 'Name' },
    mail: { type: 'string', format: 'email' },
    link: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
    score: { type: 'number' },
    ok: { type: 'boolean' },
    level: { type: 'string', enum: ['low', 'high'], enumNames: ['Low', 'High'] },
    one: { type: 'string', oneOf: choices },
    some: { type: 'array', items: { anyOf: choices }, minItems: 1, maxItems: 2, uniqueItems: true },
    either: { type: ['string', 'null'] },
  },
  required: ['ok'],
};

describe('the content of an answer', () => {
  it.each([
    [{ ok: true }],
    [{ ok: false, name: 'Ada', mail: 'a@b.co', link: 'https://x.y', age: 3, score: 1.5 }],
    [{ ok: true, day: '2026-11-18', at: '2026-11-18T10:00:00Z', level: 'low', one: 'b' }],
    [{ ok: true, some: ['a', 'b'], either: null, more: { of: 'anything' } }],
  ])('fits: %j', (content) => {
    expect(contentFlaws(form, content, 'value')).toEqual([]);
  });

  it.each<[unknown, string, string]>([
    [{}, 'value.ok', 'expected a value'],
    ['yes', 'value', 'expected object'],
    [[], 'value', 'expected object'],
    [null, 'value', 'expected object'],
    [{ ok: 'true' }, 'value.ok', 'expected boolean'],
    [{ ok: true, name: 'A' }, 'value.name', 'expected minLength 2'],
    [{ ok: true, name: 'Adela' }, 'value.name', 'expected maxLength 4'],
    [{ ok: true, mail: 'nobody' }, 'value.mail', 'expected email'],
    [{ ok: true, link: 'nowhere' }, 'value.link', 'expected uri'],
    [{ ok: true, day: 'today' }, 'value.day', 'expected date'],
    [{ ok: true, at: '2026-11-18' }, 'value.at', 'expected date-time'],
    [{ ok: true, age: 1.5 }, 'value.age', 'expected integer'],
    [{ ok: true, age: -1 }, 'value.age', 'expected minimum 0'],
    [{ ok: true, age: 151 }, 'value.age', 'expected maximum 150'],
    [{ ok: true, level: 'mid' }, 'value.level', 'expected one of ["low","high"]'],
    [{ ok: true, one: 'c' }, 'value.one', 'expected exactly one of the choices'],
    [{ ok: true, some: [] }, 'value.some', 'expected minItems 1'],
    [{ ok: true, some: ['a', 'a'] }, 'value.some', 'expected no item twice'],
    [{ ok: true, some: ['c'] }, 'value.some.0', 'expected one of the choices'],
    [{ ok: true, either: 1 }, 'value.either', 'expected string,null'],
  ])('does not fit: %j', (content, path, message) => {
    expect(contentFlaws(form, content, 'value')).toContainEqual({ path, message });
  });

  it('may be held to the named properties, and to several schemas at once', () => {
    const closed = { properties: { a: {} }, additionalProperties: false };
    expect(contentFlaws(closed, { a: 1 }, 'v')).toEqual([]);
    expect(contentFlaws(closed, { b: 1 }, 'v')).toHaveLength(1);
    const both = { allOf: [{ type: 'number' }, { maximum: 3 }] };
    expect(contentFlaws(both, 4, 'v')).toEqual([{ path: 'v', message: 'expected maximum 3' }]);
  });

  it('of a question that takes anything is anything', () => {
    for (const content of [true, 'x', null, [1], {}])
      expect(contentFlaws({}, content, 'v')).toEqual([]);
  });
});

describe('a schema', () => {
  it('is known when every keyword in it is', () => {
    expect(unknownKeyword(form)).toBeUndefined();
    expect(unknownKeyword({})).toBeUndefined();
  });

  it.each<[JsonSchema, string]>([
    [{ $ref: '#/$defs/a' }, '$ref'],
    [{ type: 'object', properties: { a: { if: {} } } }, 'if'],
    [{ type: 'array', items: { not: {} } }, 'not'],
    [{ anyOf: [{ pattern: '^a' }] }, 'pattern'],
    [{ constructor: 1 }, 'constructor'],
  ])('is not when one is not: %j', (schema, word) => {
    expect(unknownKeyword(schema)).toBe(word);
  });
});
