import { describe, expect, it } from 'vitest';
import { readSettings } from '../../functions/adapters/settings.ts';
import { webhookScheduleDefaultMs } from '../../functions/core/webhook-limits.ts';
import { readRetryAfter } from '../../functions/core/webhook-schedule.ts';

describe('WEBHOOK_SCHEDULE_S', () => {
  it.each([
    [undefined, webhookScheduleDefaultMs],
    ['', webhookScheduleDefaultMs],
    ['0,5,300', [0, 5_000, 300_000]],
    ['0.5', [500]],
  ])('%s', (text, schedule) => {
    expect(readSettings({ WEBHOOK_SCHEDULE_S: text }).webhookScheduleMs).toEqual(schedule);
  });

  it.each(['soon', '0,', ',5', '0,-5', '0 5', '1e3', '99999999'])('%s is refused', (text) => {
    expect(() => readSettings({ WEBHOOK_SCHEDULE_S: text })).toThrow('WEBHOOK_SCHEDULE_S');
  });
});

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 10, 18, 12);

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['99999999999', 24 * 60 * 60_000],
    ['9'.repeat(400), 24 * 60 * 60_000],
    ['Wed, 18 Nov 2026 12:01:00 GMT', 60_000],
    ['Wed, 18 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s', (text, waitMs) => {
    expect(readRetryAfter(text, nowMs)).toBe(waitMs);
  });
});
