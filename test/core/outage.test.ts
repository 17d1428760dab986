import { expect, it } from 'vitest';
import { isOutage } from '../../functions/core/outage.ts';

it('only what the AWS SDK marked is an outage', () => {
  expect(isOutage(Object.assign(new Error('away'), { $metadata: {} }))).toBe(true);
  for (const other of [new Error('$metadata'), '$metadata', null, undefined]) {
    expect(isOutage(other)).toBe(false);
  }
});
