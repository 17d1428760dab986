/** Every number of the house, with the reason for it. */

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;

/** A JSON request is small; larger inputs belong in a store of the caller's own. */
export const bodyBytesMax = 1024 * 1024;
/** What one answer over HTTP can carry within a function's reply limit of 6 MB. */
export const resultBytesMax = 5 * 1024 * 1024;
/**
 * Whoever walks JSON by recursion, ours and every client's, runs out of stack somewhere beyond a thousand
 * levels. No honest value comes near this.
 */
export const jsonDepthMax = 200;
/** Above this a value goes to the object store: one SQS billing chunk, a sixth of a DynamoDB item. */
export const nearBytesMax = 64 * 1024;
/** A checkpoint is rewritten often, so it must stay one cheap item. */
export const checkpointBytesMax = 64 * 1024;
/** Progress text rides in the hot item, which must stay under one write unit. */
export const progressTextBytesMax = 160;
/** The newest progress events a task remembers: a reader further behind gets the newest only. */
export const progressNotesMax = 8;
/** An error message rides in the hot item too, beside progress and arguments; the rest belongs in the log. */
export const errorTextBytesMax = 300;
/** The same where nothing is stored: a quick tool's failure is answered and forgotten. */
export const quickErrorTextBytesMax = 2000;

/** A worker's hold. Long enough to survive a slow network, short enough that a death is noticed soon. */
export const claimDefaultMs = 120 * secondMs;
/** A tool that says nothing about its deadline gets a day: deployments and approvals fit, leaks do not. */
export const deadlineDefaultMs = dayMs;
export const deadlineMsMax = 30 * dayMs;
/** Longer than SQS keeps a message (14 days), so that no late copy can create an ended task anew. */
export const retentionMs = 30 * dayMs;
/** A tool that was told to stop may tidy up this long before its worker goes on without it. */
export const stopGraceMs = 5 * secondMs;
/** A run is suspended this long before its function dies, so that the hand-over is recorded in time. */
export const functionMarginMs = 30 * secondMs;

/** What one call may give, one after another. */
export const resultsPerCallMax = 100;
/** Places on the way to the end at which a tool may have its caller told. */
export const progressMarksMax = 8;
/** How often an event is built anew because another came first. */
export const recordTriesMax = 32;
/** Questions of one task: a conversation belongs into a session. */
export const questionsPerTaskMax = 16;
export const questionKeyMax = 512;
/** A question is read by everyone who looks at the task that waits for its answer. */
export const questionBytesMax = 16 * 1024;
/** An answer is read by every run that begins again. */
export const answerBytesMax = 64 * 1024;
/** How soon a run that could not put its question begins again. */
export const askAgainMs = secondMs;
/** A page of a long result: a few thousand tokens. */
export const resultPageBytes = 16 * 1024;
/** A page within JSON once more: a quote takes two bytes then. */
export const pageShownBytesMax = 2 * resultPageBytes + 1024;

/** How soon an outside system is first asked about work whose end did not come, and at least how often. */
export const checkDefaultMs = minuteMs;
export const checkWaitMsMax = 60 * minuteMs;
/** A report that matches no task is kept this long: its task may not have said yet which run is its own. */
export const parkedMsMax = dayMs;

export const retriesDefault = 3;
export const retriesMax = 20;
export const backoffMsMax = 5 * minuteMs;
/** The longest delay SQS takes; a longer wait is several hops. */
export const delayMsMax = 15 * minuteMs;
/** A message that was dead three times more is poison. */
export const redrivesMax = 3;
/** Receives before a message is dead: an outage of minutes is survived, a crash loop is not. */
export const receivesMax = 5;

/** After the grace time a call is held this long: with both, the API's function of 60 seconds outlives it. */
export const holdDefaultMs = 45 * secondMs;
/** What a model reads of one result without its client cutting it: about 16,000 tokens. */
export const mcpResultBytesMax = 64 * 1024;
/** Clients wait this long before they come back for a call whose connection was closed or cut. */
export const resumeAfterMs = 200;
export const waitSMax = 25;
/** Long enough for most quick work, short enough for the most impatient client. */
export const graceDefaultMs = 2 * secondMs;
/** Re-reads of a long poll: eager at first, then at most one a second. */
export const waitFirstMs = 50;
export const waitStepMsMax = secondMs;
export const pageLimitDefault = 20;
export const pageLimitMax = 100;
export const idempotencyKeyMax = 128;

/** How far the sweep looks back again: index lag plus clock skew between functions. */
export const sweepOverlapMs = 2 * minuteMs;
/** A task that cannot be looked at keeps the sweep's mark where it is, but not for longer. */
export const sweepHeldMsMax = 60 * minuteMs;
/** Entries and dead letters taken at a time. */
export const sweepPage = 100;
export const deadLettersPerSweep = 100;
/** One index partition takes 1,000 writes a second; starts are spread over eight. */
export const dueShards = 8;

/** What a user says at once; longer texts belong in a file of their own. */
export const inputTextBytesMax = 64 * 1024;
/** How many inputs are read at a time. */
export const inputsTail = 64;
/** A history is compacted before it has this many turns, so one bounded read always reaches the snapshot. */
export const turnsPerSnapshot = 48;
export const turnsTail = 64;
/** What the model is shown of the past: about 60,000 tokens; the oldest exchanges go first. */
export const historyBytesMax = 240 * 1024;
/** Calls whose ids are known after a compaction: eight bytes each, read with every look. */
export const callMarksMax = 2000;
/** What the model is shown of one value; the rest is read in pages by whoever needs it. */
export const shownBytesMax = 4 * 1024;
/** Of one event's text. */
export const eventTextBytesMax = 160;
/** User input is answered together that comes within the debounce, but never later than this. */
export const debounceMsMax = 2 * secondMs;
/** When progress may start a turn only in quiet: the user has said nothing for so long. */
export const quietMs = 2 * secondMs;
/** Progress of one call starts at most so many turns, whatever its tool declares. */
export const tellingsMax = 4;
/** Closed calls whose real result may still come; each turn carries them along. */
export const correctableMax = 16;
/** How soon a model that is busy is asked again when it does not say. */
export const modelRetryMs = 5 * secondMs;
/** A model that has not answered by then is asked again. */
export const modelTimeoutMs = 4 * minuteMs;

/** A session is one item: its system text and its own tools must fit into it together. */
export const systemTextBytesMax = 64 * 1024;
export const ownToolsBytesMax = 64 * 1024;
/** More tools than any model keeps apart. */
export const sessionToolsMax = 128;
/** What a session may choose at most: more calls at once, or turns in a row, is a loop gone wild. */
export const slotsMax = 10;
export const turnsMaxMax = 50;
/** Turns that one read of the events or the audit takes at a time. */
export const turnsPage = 32;
/** Refusals that the audit of a session shows: somebody may go on being refused for ever. */
export const refusedRowsMax = 200;
/** Proxies cut a stream that says nothing for a minute. */
export const streamCommentMs = 15 * secondMs;
/** The API's function dies at 60 seconds; its streams end before, and their readers come back by cursor. */
export const streamMsMax = 55 * secondMs;
/** How soon a reader whose stream ended comes back. */
export const streamRetryMs = secondMs;
