import { describe, expect, it } from 'vitest';
import { errorTextBytesMax, jsonDepthMax } from '../../functions/core/limits.ts';
import { bytesOf } from '../../functions/core/text.ts';
import { endFrom } from '../../functions/tasks/outside-end.ts';
import { memoryHouse } from '../house.ts';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('an end from outside', () => {
  it.each([jsonDepthMax + 1, 3000, 400_000])(
    'is refused with a result that is nested too deep: %i levels',
    async (levels) => {
      const house = memoryHouse();
      const task = await house.start();
      expect(
        await endFrom(house.ports, task, { result: nested(levels) }, 'callback'),
      ).toMatchObject({
        ok: false,
        failure: { reason: 'result_schema_mismatch', flaws: [{ path: '' }] },
      });
    },
  );

  it('keeps no more of an error than its item has room for', async () => {
    const house = memoryHouse();
    const task = await house.start();
    const end = await endFrom(house.ports, task, { error: 'é'.repeat(5000) }, 'callback');
    if (!end.ok || end.value.kind !== 'failed') throw new Error('It should have failed.');
    expect(bytesOf(end.value.error.message)).toBeLessThanOrEqual(errorTextBytesMax);
  });
});
