import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import { deliveryOf, type DeliveryStart } from '../../functions/core/webhook-delivery.ts';
import { overdueMs } from '../../functions/core/webhook-limits.ts';
import { healthy, urlEndpoint, type Endpoint } from '../../functions/core/webhook.ts';
import type { AuditStore, WebhookStore } from '../../functions/ports.ts';
import { newSessionId } from '../../functions/adapters/process.ts';

const alice = asOwner('alice');
const bob = asOwner('bob');
const t0 = 1_790_000_000_000;

export const endpointNamed = (name: string, owner = alice): Endpoint => ({
  owner,
  endpointId: `ep_${name.padEnd(16, '0')}`,
  url: `https://${name}.example/webhooks`,
  types: ['task.completed', 'task.failed'],
  payload: 'thin',
  createdAtMs: t0,
  secrets: { current: `whsec_${name}` },
  health: healthy,
});

const startOf = (subject: string, endpoint: Endpoint, atMs = t0): DeliveryStart =>
  deliveryOf(
    { owner: endpoint.owner, type: 'task.completed', subject, atMs, data: { task_id: subject } },
    endpoint,
  );

export interface OpenStores {
  readonly webhooks: WebhookStore;
  readonly audit: AuditStore;
  readonly stop: () => Promise<void>;
}

/** One suite for every engine: whatever keeps webhooks keeps them like this. */
export function webhookStoreContract(
  name: string,
  open: () => Promise<OpenStores>,
  missing?: string,
): void {
  const title = `webhook store: ${name}${missing ? ` (${missing})` : ''}`;
  const test = (what: string, act: (stores: OpenStores) => Promise<void>) =>
    it.skipIf(missing)(what, async () => {
      const stores = await open();
      try {
        await act(stores);
      } finally {
        await stores.stop();
      }
    });

  describe(title, () => {
    test('keeps endpoints apart by owner, and URLs out of their list', async ({ webhooks }) => {
      const [one, two] = [endpointNamed('one'), { ...endpointNamed('two'), createdAtMs: t0 + 1 }];
      expect(await webhooks.putEndpoint(one)).toBe(true);
      expect(await webhooks.putEndpoint(one)).toBe(false);
      await webhooks.putEndpoint(two);
      await webhooks.putEndpoint(endpointNamed('foreign', bob));
      const url = urlEndpoint(alice, { url: 'https://url.example/', payload: 'full' }, t0);
      await webhooks.keepUrl(url);
      await webhooks.keepUrl(url);
      expect(await webhooks.endpoints(alice)).toEqual([one, two]);
      expect(await webhooks.endpoint(url)).toEqual(url);
      expect(await webhooks.endpoint({ ...one, owner: bob })).toBeUndefined();
      expect(await webhooks.removeEndpoint({ ...one, owner: bob }, t0)).toBe(false);
      expect(await webhooks.removeEndpoint(one, t0)).toBe(true);
      expect(await webhooks.removeEndpoint(one, t0)).toBe(false);
      expect(await webhooks.endpoints(alice)).toEqual([two]);
      expect(await webhooks.formerEndpoints(alice)).toContain(one.endpointId);
      expect(await webhooks.formerEndpoints(alice)).not.toContain(two.endpointId);
    });

    test('changes a secret once, and health only as it was read', async ({ webhooks }) => {
      const one = endpointNamed('one');
      await webhooks.putEndpoint(one);
      const previous = { secret: 'whsec_one', untilMs: t0 + 5 };
      const secrets = { current: 'whsec_new', previous };
      expect(await webhooks.rotate(one, 'whsec_one', secrets)).toBe(true);
      expect(await webhooks.rotate(one, 'whsec_one', secrets)).toBe(false);
      expect((await webhooks.endpoint(one))?.secrets).toEqual(secrets);
      const failing = { ...healthy, failures: 1, failingSinceMs: t0 };
      expect(await webhooks.setHealth(one, healthy, failing)).toBe(true);
      expect(await webhooks.setHealth(one, healthy, failing)).toBe(false);
      const disabled = { ...failing, state: 'disabled', failures: 2 } as const;
      expect(await webhooks.setHealth(one, healthy, disabled)).toBe(true);
      expect((await webhooks.endpoint(one))?.health).toEqual(disabled);
      expect(await webhooks.setHealth(endpointNamed('gone'), healthy, disabled)).toBe(false);
    });

    test('gives an owner one secret, whoever asks first', async ({ webhooks }) => {
      const fresh = Array.from({ length: 10 }, (_, n) => `whsec_${n}`);
      const got = await Promise.all(fresh.map((secret) => webhooks.ownerSecret(alice, secret)));
      expect(new Set(got).size).toBe(1);
      expect(await webhooks.ownerSecret(alice, 'another')).toBe(got[0]);
      expect(await webhooks.ownerSecret(bob, 'another')).toBe('another');
    });

    test('has five slots for an endpoint, each until it is freed or over', async ({ webhooks }) => {
      const one = endpointNamed('one');
      const slots: (number | undefined)[] = [];
      for (let n = 0; n < 6; n += 1) slots.push(await webhooks.takeSlot(one, t0, t0 + 10));
      expect(new Set(slots.slice(0, 5))).toEqual(new Set([0, 1, 2, 3, 4]));
      expect(slots[5]).toBeUndefined();
      expect(await webhooks.takeSlot(endpointNamed('two'), t0, t0 + 10)).toBe(0);
      await webhooks.freeSlot(one, 3, t0 + 10);
      expect(await webhooks.takeSlot(one, t0, t0 + 20)).toBe(3);
      // Freed by one whose time was up: it is another's by now.
      await webhooks.freeSlot(one, 3, t0 + 10);
      expect(await webhooks.takeSlot(one, t0, t0 + 20)).toBeUndefined();
      expect(await webhooks.takeSlot(one, t0 + 10, t0 + 20)).toBe(0);
    });

    test('takes ten at once for at most five slots', async ({ webhooks }) => {
      const one = endpointNamed('one');
      const asked = Array.from({ length: 10 }, () => webhooks.takeSlot(one, t0, t0 + 10));
      const got = (await Promise.all(asked)).filter((slot) => slot !== undefined);
      expect(new Set(got).size).toBe(got.length);
      expect(got.length).toBeLessThanOrEqual(5);
      expect(got.length).toBeGreaterThan(0);
    });

    test('claims a delivery for one at a time, when it is due', async ({ webhooks }) => {
      const start = startOf('task_1', endpointNamed('one'));
      const claim = { ...start, start, token: 'a', nowMs: t0, untilMs: t0 + 10 };
      expect(await webhooks.claim({ ...claim, start: undefined })).toBeUndefined();
      const asked = Array.from({ length: 5 }, (_, n) =>
        webhooks.claim({ ...claim, token: `t${n}` }),
      );
      const [claimed, ...others] = (await Promise.all(asked)).filter((one) => one !== undefined);
      expect(others).toEqual([]);
      expect(claimed).toMatchObject({ ...start, status: 'pending', attempts: [], dueMs: t0 });
      const fence = claimed?.claim.fence ?? 0;
      const attempt = { atMs: t0, status: 500, ms: 7 };
      const next = { status: 'pending', dueMs: t0 + 100 } as const;
      expect(await webhooks.record(start, fence + 1, { attempt, next })).toBeUndefined();
      const failed = await webhooks.record(start, fence, { attempt, next });
      expect(failed).toMatchObject({ attempts: [attempt], dueMs: t0 + 100 });
      expect(await webhooks.claim({ ...claim, nowMs: t0 + 99 })).toBeUndefined();
      const late = { ...claim, start: undefined, nowMs: t0 + 100, untilMs: t0 + 200 };
      const again = await webhooks.claim(late);
      expect(again?.claim.fence).toBe(fence + 1);
      // Its holder died: after the claim another may try.
      expect(await webhooks.claim({ ...late, nowMs: t0 + 199 })).toBeUndefined();
      const taken = await webhooks.claim({ ...late, nowMs: t0 + 200, untilMs: t0 + 300 });
      const end = { status: 'delivered', atMs: t0 + 210 } as const;
      const ok = { atMs: t0 + 205, status: 204, ms: 5 };
      expect(await webhooks.record(start, fence + 1, { attempt: ok, next: end })).toBeUndefined();
      const done = await webhooks.record(start, taken?.claim.fence ?? 0, {
        attempt: ok,
        next: end,
      });
      expect(done).toMatchObject({ status: 'delivered', settledAtMs: t0 + 210 });
      expect(done?.attempts).toEqual([attempt, ok]);
      expect(await webhooks.claim({ ...claim, nowMs: t0 + 999 })).toBeUndefined();
      expect(await webhooks.delivery(start)).toEqual(done);
      expect(await webhooks.delivery({ ...start, owner: bob })).toBeUndefined();
    });

    test('begins a schedule anew, and refuses whoever was at it', async ({ webhooks }) => {
      const start = startOf('task_1', endpointNamed('one'));
      const claim = { ...start, start, token: 'a', nowMs: t0, untilMs: t0 + 10 };
      const first = await webhooks.claim(claim);
      const opened = await webhooks.reopen(start, t0 + 1);
      expect(opened).toMatchObject({ status: 'pending', dueMs: t0 + 1, attemptsBefore: 0 });
      const end = { next: { status: 'exhausted', atMs: t0 + 5 } } as const;
      expect(await webhooks.record(start, first?.claim.fence ?? 0, end)).toBeUndefined();
      const second = await webhooks.claim({ ...claim, nowMs: t0 + 1 });
      const attempt = { atMs: t0 + 2, error: 'timed_out', ms: 1 };
      await webhooks.record(start, second?.claim.fence ?? 0, { ...end, attempt });
      const again = await webhooks.reopen(start, t0 + 20);
      expect(again).toMatchObject({ attempts: [attempt], attemptsBefore: 1, status: 'pending' });
      expect(again?.settledAtMs).toBeUndefined();
      expect(await webhooks.reopen({ ...start, owner: bob }, t0)).toBeUndefined();
    });

    test('is sent again for all who ask at once', async ({ webhooks }) => {
      const start = startOf('task_1', endpointNamed('one'));
      await webhooks.claim({ ...start, start, token: 'a', nowMs: t0, untilMs: t0 + 10 });
      const asked = Array.from({ length: 12 }, () => webhooks.reopen(start, t0 + 1));
      for (const opened of await Promise.all(asked)) {
        expect(opened).toMatchObject({ status: 'pending', dueMs: t0 + 1 });
      }
    });

    test('lists the deliveries of one endpoint, newest first', async ({ webhooks }) => {
      const one = endpointNamed('one');
      for (let n = 0; n < 5; n += 1) {
        const start = startOf(`task_${n}`, one, t0 + n);
        await webhooks.claim({ ...start, start, token: 'a', nowMs: t0 + n, untilMs: t0 + 50 });
      }
      const other = startOf('task_1', endpointNamed('two'));
      await webhooks.claim({ ...other, start: other, token: 'a', nowMs: t0, untilMs: t0 + 50 });
      const names: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await webhooks.deliveries(one, { limit: 2, cursor });
        names.push(...page.items.map(({ data }) => data.task_id));
        cursor = page.cursor;
      } while (cursor);
      expect(names).toEqual(['task_4', 'task_3', 'task_2', 'task_1', 'task_0']);
      expect((await webhooks.deliveries({ ...one, owner: bob }, { limit: 2 })).items).toEqual([]);
    });

    test('shows what is overdue once, and later again', async ({ webhooks }) => {
      const one = endpointNamed('one');
      const starts = ['task_1', 'task_2', 'task_3'].map((subject) => startOf(subject, one));
      for (const start of starts) {
        await webhooks.claim({ ...start, start, token: 'a', nowMs: t0, untilMs: t0 + 50 });
      }
      const [, settled] = starts;
      if (settled) {
        await webhooks.record(settled, 1, { next: { status: 'delivered', atMs: t0 } });
      }
      expect(await webhooks.takeOverdue(t0 + overdueMs - 1, 10)).toEqual([]);
      const late = await webhooks.takeOverdue(t0 + overdueMs, 10);
      expect(new Set(late.map(({ data }) => data.task_id))).toEqual(new Set(['task_1', 'task_3']));
      expect(await webhooks.takeOverdue(t0 + overdueMs + 1, 10)).toEqual([]);
      expect(await webhooks.takeOverdue(t0 + 2 * overdueMs, 10)).toHaveLength(2);
      expect(await webhooks.takeOverdue(t0 + 3 * overdueMs, 10)).toEqual([]);
      expect(await webhooks.takeOverdue(t0 + 4 * overdueMs, 10)).toHaveLength(2);
    });

    test('keeps an audit by owner, newest first, each row once', async ({ audit }) => {
      for (let n = 0; n < 5; n += 1) {
        const row = { atMs: t0 + n, kind: 'refused', what: 'callback', code: `c${n}` } as const;
        await audit.add(alice, row);
        await audit.add(alice, row);
      }
      const codes: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await audit.list(alice, { limit: 2, cursor });
        codes.push(...page.items.map((row) => (row.kind === 'refused' ? row.code : '')));
        cursor = page.cursor;
      } while (cursor);
      expect(codes).toEqual(['c4', 'c3', 'c2', 'c1', 'c0']);
      expect((await audit.list(bob, { limit: 2 })).items).toEqual([]);
    });

    test('keeps apart what is about one session', async ({ audit }) => {
      const [one, other] = [newSessionId(), newSessionId()];
      const row = { atMs: 1, kind: 'refused', what: 'x', code: 'y' } as const;
      await audit.add(alice, row, one);
      expect((await audit.list(alice, { limit: 2 }, one)).items).toEqual([row]);
      expect((await audit.list(alice, { limit: 2 }, other)).items).toEqual([]);
      expect((await audit.list(bob, { limit: 2 }, one)).items).toEqual([]);
    });
  });
}
