/** The numbers of webhooks, each with the reason for it. */

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The example of Standard Webhooks: a receiver may be away for three days. Each is counted from the last attempt. */
export const webhookScheduleDefaultMs: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
/** Receivers that failed together must not be tried together. */
export const webhookJitter = 0.2;
/** A receiver that answers later than this has its webhook wait in a queue of its own. */
export const webhookTimeoutMs = 15 * secondMs;
/** Longer than an attempt can take, so that a claim ends only when its holder died. */
export const webhookClaimMs = 60 * secondMs;
/** How long a receiver may ask us to wait. */
export const retryAfterMsMax = dayMs;
/** Deliveries to one receiver at once. */
export const endpointSlots = 5;
/** A receiver that is well frees a slot in no time: so long it is waited for, looking this often. */
export const slotPatienceMs = secondMs;
export const slotLookMs = 100;
/** How soon a delivery that found no slot asks again: longer each time, up to a minute if its receiver fails. */
export const slotWaitMs = secondMs;
export const slotWaitMsMax = minuteMs;
export const slotWaitWellMsMax = 2 * secondMs;
/** Failures in a row, and how long they have lasted, before a receiver is paused. */
export const pauseAfterFailures = 20;
export const pauseAfterMs = dayMs;
/** A paused receiver is tried once in this time. */
export const pauseMs = hourMs;
export const disableAfterMs = 5 * dayMs;
/** The old secret signs beside the new one for so long. */
export const rotationMs = dayMs;
/** A full body carries a result up to this; a thin one stays far below the 20 kB of Standard Webhooks. */
export const fullResultBytesMax = 256 * 1024;
export const webhookUrlMax = 2048;
export const endpointsMax = 20;
/** Longer than SQS keeps a message (14 days), so that no late copy can begin a settled delivery anew. */
export const webhookRetentionMs = 30 * dayMs;
/** A URL that tasks name is kept as long as a task that names it can live. */
export const urlKeptMs = 90 * dayMs;
export const urlFreshMs = 30 * dayMs;
/** How long what is known of an owner's receivers may be used without another look. */
export const endpointsFreshMs = 5 * secondMs;
/** A delivery that is late by so much has lost its message: the sweep sends it again, rarer each time. */
export const overdueMs = 5 * minuteMs;
export const overdueMsMax = 6 * hourMs;
/** Deliveries that one call of recover sends again at most. */
export const recoverMax = 1000;
export const auditRetentionMs = 90 * dayMs;
/** An end that nobody was told of for so long is told by the sweep, and is worth an alarm. */
export const untoldMs = minuteMs;
