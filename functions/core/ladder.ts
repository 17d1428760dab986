/**
 * How long a call over MCP is held before its handle is given, by who calls. Clients give up on a call
 * after a time of their own and never say which; the names and times here were measured or read in
 * their source.
 */
const secondMs = 1000;

/** Most clients give up after 60 seconds, whatever progress they are told. */
const budgetDefaultMs = 50 * secondMs;

const patient = new Map([
  ['claude-code', 540 * secondMs],
  ['codex-mcp-client', 280 * secondMs],
  ['gemini-cli-mcp-client', 540 * secondMs],
  ['opencode', 540 * secondMs],
]);

/** Clients that send a call again by themselves when told to: 2026-07-28 leaves it to each of them. */
const followers = new Set(['claude-code', 'codex-mcp-client']);

/** Clients follow ten times and then fail the call, so the tenth answer must be the last. */
export const roundsMax = 9;

interface HoldSettings {
  readonly graceMs: number;
  readonly holdMs: number;
}

/**
 * How long a call may be held in all, counted from its first request: the grace time and one hold, and
 * more for a client that is known to be patient.
 */
export function holdInAllMs(client: string, { graceMs, holdMs }: HoldSettings): number {
  if (holdMs === 0) return graceMs;
  return patient.get(client) ?? Math.min(budgetDefaultMs, graceMs + holdMs);
}

/** How long one connection is held; a call may go on over several. */
export const holdOnceMs = ({ graceMs, holdMs }: HoldSettings, isFirst: boolean): number =>
  isFirst ? graceMs + holdMs : holdMs;

/** Whether a call may be sent back once more, whatever for: clients count every answer but the last. */
export const hasRoundsLeft = (round: number): boolean => round <= roundsMax;

/** Whether the client may be asked to send the call again with nothing new, once more. */
export const mayFollow = (client: string, round: number): boolean =>
  followers.has(client) && hasRoundsLeft(round);
