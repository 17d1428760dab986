import { describe, expect, it } from 'vitest';
import { isTooDeep } from '../../functions/core/json-depth.ts';
import { jsonDepthMax } from '../../functions/core/limits.ts';

const arrays = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const objects = (levels: number): unknown =>
  JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));

describe('isTooDeep', () => {
  it.each([[null], [1], ['['], [[]], [{}], [undefined], [{ a: [{ b: [] }] }]])(
    'is not %j',
    (value) => {
      expect(isTooDeep(value)).toBe(false);
    },
  );

  it.each([arrays, objects])('counts levels (%#)', (nested) => {
    expect(isTooDeep(nested(jsonDepthMax))).toBe(false);
    expect(isTooDeep(nested(jsonDepthMax + 1))).toBe(true);
    expect(isTooDeep([1, nested(jsonDepthMax - 1), 2])).toBe(false);
    expect(isTooDeep([1, nested(jsonDepthMax), 2])).toBe(true);
  });

  it('survives what a body of one mebibyte can nest, and what is wide instead', () => {
    expect(isTooDeep(arrays(500_000))).toBe(true);
    expect(isTooDeep(Array.from({ length: 500_000 }, () => []))).toBe(false);
  });
});
