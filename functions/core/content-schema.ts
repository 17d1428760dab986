import type { Flaw } from './failure.ts';
import type { JsonSchema } from './tool.ts';

/**
 * As much of JSON Schema as the forms of MCP use, and a little more: what an answer may look like. A
 * keyword that is not known here is refused when the question is asked, so that none is ever overlooked.
 */
type Check = (value: unknown, schema: JsonSchema, path: string) => readonly Flaw[];

const annotations = ['title', 'description', 'default', 'examples', 'enumNames', '$schema', '$id'];

/** The first keyword in a schema that answers cannot be checked by. */
export function unknownKeyword(schema: JsonSchema): string | undefined {
  const strange = Object.keys(schema).find(
    (word) => !Object.hasOwn(checks, word) && !annotations.includes(word),
  );
  return strange ?? inner(schema).map(unknownKeyword).find(Boolean);
}

const inner = ({ properties, items, anyOf, oneOf, allOf }: JsonSchema): readonly JsonSchema[] =>
  [...Object.values(asObject(properties)), ...[items, anyOf, oneOf, allOf].flat()].filter(isObject);

/** What is wrong with a content. */
export const contentFlaws = (schema: JsonSchema, content: unknown, path: string): readonly Flaw[] =>
  Object.keys(schema).flatMap((word) => checks[word]?.(content, schema, path) ?? []);

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asObject = (value: unknown): JsonSchema => (isObject(value) ? value : {});
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A check that only says whether it fits. */
const must =
  (fits: (value: unknown, schema: JsonSchema) => boolean, words: (schema: JsonSchema) => string) =>
  (value: unknown, schema: JsonSchema, path: string): readonly Flaw[] =>
    fits(value, schema) ? [] : [{ path, message: `expected ${words(schema)}` }];

/** A number against a bound; what has no such number is not meant. */
const bound = (
  word: string,
  numberOf: (value: unknown) => number | undefined,
  fits: (given: number, limit: number) => boolean,
): Check =>
  must(
    (value, schema) => {
      const given = numberOf(value);
      return given === undefined || fits(given, Number(schema[word]));
    },
    (schema) => `${word} ${String(schema[word])}`,
  );

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : undefined);
const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const atLeast = (given: number, limit: number) => given >= limit;
const atMost = (given: number, limit: number) => given <= limit;

const isType = (value: unknown, type: unknown): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'null' ? value === null : typeof value === type;
};

const formats: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
};

const fitting = (value: unknown, schemas: unknown) =>
  asList(schemas).filter((one) => contentFlaws(asObject(one), value, '').length === 0).length;

const checks: Readonly<Record<string, Check>> = {
  type: must(
    (value, { type }) => [type].flat().some((one) => isType(value, one)),
    ({ type }) => String(type),
  ),
  enum: must(
    (value, schema) => asList(schema.enum).some((one) => isSame(one, value)),
    (schema) => `one of ${JSON.stringify(schema.enum)}`,
  ),
  const: must(
    (value, schema) => isSame(schema.const, value),
    (schema) => JSON.stringify(schema.const),
  ),
  anyOf: must(
    (value, { anyOf }) => fitting(value, anyOf) > 0,
    () => 'one of the choices',
  ),
  oneOf: must(
    (value, { oneOf }) => fitting(value, oneOf) === 1,
    () => 'exactly one of the choices',
  ),
  allOf: (value, { allOf }, path) =>
    asList(allOf).flatMap((one) => contentFlaws(asObject(one), value, path)),
  properties: (value, { properties }, path) =>
    Object.entries(asObject(properties)).flatMap(([name, schema]) => {
      const isGiven = isObject(value) && Object.hasOwn(value, name);
      return isGiven ? contentFlaws(asObject(schema), value[name], `${path}.${name}`) : [];
    }),
  required: (value, { required }, path) =>
    asList(required).flatMap((name) => {
      const isGiven = !isObject(value) || Object.hasOwn(value, String(name));
      return isGiven ? [] : [{ path: `${path}.${String(name)}`, message: 'expected a value' }];
    }),
  additionalProperties: must(
    (value, { additionalProperties, properties }) =>
      additionalProperties !== false ||
      Object.keys(asObject(value)).every((name) => Object.hasOwn(asObject(properties), name)),
    () => 'no other properties',
  ),
  items: (value, { items }, path) =>
    asList(value).flatMap((one, at) => contentFlaws(asObject(items), one, `${path}.${at}`)),
  uniqueItems: must(
    (value, { uniqueItems }) =>
      uniqueItems !== true ||
      new Set(asList(value).map((one) => JSON.stringify(one))).size === asList(value).length,
    () => 'no item twice',
  ),
  format: must(
    (value, { format }) =>
      typeof value !== 'string' || formats[String(format)]?.test(value) !== false,
    ({ format }) => String(format),
  ),
  minLength: bound('minLength', lengthOf, atLeast),
  maxLength: bound('maxLength', lengthOf, atMost),
  minItems: bound('minItems', countOf, atLeast),
  maxItems: bound('maxItems', countOf, atMost),
  minimum: bound('minimum', numberOf, atLeast),
  maximum: bound('maximum', numberOf, atMost),
};
