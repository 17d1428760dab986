import { canonicalJson, digestOf } from '../../core/digest.ts';
import { asCallId, type CallId } from '../../core/ids.ts';

/** The model's own call, as far as its client names it. */
export interface AdoptedCall {
  /** The same for a call that is sent again. */
  readonly identity: string;
  readonly callId?: CallId;
}

/**
 * Where known clients write the model's call id, and what it is unique within. OpenCode
 * (`ai.opencode/sessionID`) and Antigravity (`antigravity.google/conversation_id`) name only the
 * conversation: two equal calls in it may both be meant, so it is no identity.
 */
const keys = [
  { call: 'claudecode/toolUseId' },
  { call: 'redpanda.com/llm-tool-call-id' },
  { call: 'callId', within: 'threadId' },
] as const;

/** Providers make their ids with at least as many characters. */
const uniqueLength = 20;

/** It rides in the task's hot item. */
const isShort = (text: string) => /^[\x21-\x7e]{1,128}$/.test(text);

/** A call that brings its id is started once, however often it is sent. */
export function adoptCall(
  meta: Readonly<Record<string, unknown>> | undefined,
): AdoptedCall | undefined {
  for (const key of keys) {
    const id = meta?.[key.call];
    if (typeof id !== 'string' || id === '') continue;
    const within = 'within' in key ? meta?.[key.within] : undefined;
    // A short id is its own only within its thread; a provider's is unique by itself.
    if ('within' in key && typeof within !== 'string' && id.length < uniqueLength) continue;
    const identity = `mcp.${digestOf(canonicalJson([key.call, within ?? null, id]))}`;
    return isShort(id) ? { identity, callId: asCallId(id) } : { identity };
  }
  return undefined;
}
