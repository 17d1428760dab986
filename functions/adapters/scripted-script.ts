import type { AssistantEntry, Entry } from '../core/entry.ts';
import type { ModelCall } from '../core/model.ts';
import { digestOf } from '../core/digest.ts';
import { busy, type ModelFailure } from './model-failure.ts';
import type { Script, ScriptStep } from './script-file.ts';
import type { Speaker, Speech } from './scripted-model.ts';
import { callIdFor, tailOf, type Tail } from './scripted-news.ts';

/**
 * Answers from a script: the first unused step that matches speaks, and when none is left the answer is
 * "ok". Which steps are used is told by the history itself: every reply carries the list so far in its
 * parts. So many sessions share one script, and a request that is repeated after a crash is answered the
 * same. A step that played a provider's error or was cut off has left no such reply; it is remembered
 * here, per session, until the next reply lists it too.
 */
export function scriptSpeaker(script: Script): Speaker {
  const spent = spentSteps();
  return ({ entries }) => {
    const tail = tailOf(entries);
    const before = [...usedIn(entries, script), ...spent.in(entries)];
    const place = script.findIndex((step, at) => !before.includes(at) && matches(step, tail));
    const step = script[place];
    if (!step) return speech(nothingLeft, entries, before);
    if (step.status !== undefined) {
      spent.always(entries, place);
      return { ...speech(step, entries, before), failure: failureBy(step.status) };
    }
    const used = [...before, place];
    return { ...speech(step, entries, used), onCut: () => spent.elsewhere(entries, place) };
  };
}

const nothingLeft: ScriptStep = { when: {}, text: 'ok', calls: [], delayMs: 0, status: undefined };

const speech = (
  { text, calls, delayMs }: ScriptStep,
  entries: readonly Entry[],
  used: readonly number[],
): Speech => ({
  text,
  calls: calls.map(({ id, name, arguments: args }, index): ModelCall => ({
    id: id ?? callIdFor(entries, index),
    name,
    arguments: args,
  })),
  parts: { provider: 'scripted', used: [...new Set(used)] },
  delayMs,
});

function matches({ when }: ScriptStep, { texts, ended, events }: Tail): boolean {
  const { textIncludes: words, responseFor: call } = when;
  if (words !== undefined && !texts.some((text) => text.includes(words))) return false;
  const results = [...events.filter(({ kind }) => kind === 'partial'), ...ended];
  return call === undefined || results.some(({ callId, tool }) => callId === call || tool === call);
}

/** The newest list counts. Compaction drops parts; a reply without a list is known by its words. */
function usedIn(entries: readonly Entry[], script: Script): readonly number[] {
  let used: readonly number[] = [];
  for (const entry of entries) {
    if (entry.role !== 'assistant') continue;
    if (hasList(entry.parts)) {
      used = entry.parts.used;
    } else {
      const place = script.findIndex((step, at) => !used.includes(at) && isSaidBy(entry, step));
      if (place !== -1) used = [...used, place];
    }
  }
  return used;
}

const hasList = (parts: unknown): parts is { readonly used: readonly number[] } =>
  typeof parts === 'object' && parts !== null && 'used' in parts && Array.isArray(parts.used);

const isSaidBy = (entry: AssistantEntry, step: ScriptStep) =>
  entry.text === step.text &&
  entry.calls.length === step.calls.length &&
  entry.calls.every(({ tool }, index) => tool === step.calls[index]?.name);

/** Enough for a long test; a script is not played in production. */
const sessionsMax = 1000;

/** Steps that left no reply. One that was cut off may still answer the very request it was cut off from. */
function spentSteps() {
  const sessions = new Map<string, Map<number, string>>();
  const mark = (entries: readonly Entry[], place: number, request: string) => {
    const session = sessionOf(entries);
    const steps = sessions.get(session) ?? new Map<number, string>();
    if (sessions.size >= sessionsMax) sessions.clear();
    sessions.set(session, steps.set(place, request));
  };
  return {
    in(entries: readonly Entry[]): readonly number[] {
      const steps = sessions.get(sessionOf(entries));
      if (!steps) return [];
      const request = requestOf(entries);
      return [...steps].flatMap(([place, by]) => (by === request ? [] : [place]));
    },
    always: (entries: readonly Entry[], place: number) => mark(entries, place, ''),
    elsewhere: (entries: readonly Entry[], place: number) =>
      mark(entries, place, requestOf(entries)),
  };
}

const requestOf = (entries: readonly Entry[]) => digestOf(JSON.stringify(entries));

/** A request names no session, but its beginning is said in no other at that moment. */
function sessionOf(entries: readonly Entry[]): string {
  const first = entries.findIndex(({ role }) => role !== 'system');
  return requestOf(entries.slice(0, first + 1));
}

/** Soon enough for a test to wait for. */
const retryMs = 1000;

const failureBy = (status: number): ModelFailure =>
  status === 408 || status === 429 || status >= 500
    ? busy(`${status}: the script says so.`, retryMs)
    : { kind: 'refused', detail: `${status}: the script says so.` };
