import { describeLongRunning } from './guidance.ts';
import type { ModelTool } from './model.ts';
import { readResultTool } from './response-text.ts';
import type { OwnTool, Session } from './session.ts';
import type { Tool, Tools } from './tool.ts';

/** A tool as one session has it: the deployment's, or the caller's own. */
type OfferedTool =
  { readonly kind: 'ours'; readonly tool: Tool } | { readonly kind: 'own'; readonly tool: OwnTool };

export type Offer = ReadonlyMap<string, OfferedTool>;

/** A session is the background pattern itself: waiting by a tool would only hold it up. */
const neverByDefault = new Set(['start_task', 'wait_for_task']);

/**
 * The tools of a session by name. Whoever may be shown the head of a value can read the rest of it. The
 * caller's own stand last and win over a name of ours.
 */
export function offerOf(session: Pick<Session, 'tools' | 'ownTools'>, tools: Tools): Offer {
  const all = [...tools.keys()].filter((name) => !neverByDefault.has(name));
  const names = session.tools ? [...session.tools, readResultTool] : all;
  const offer = new Map<string, OfferedTool>();
  for (const name of names) {
    const tool = tools.get(name);
    if (tool) offer.set(name, { kind: 'ours', tool });
  }
  for (const tool of session.ownTools) offer.set(tool.name, { kind: 'own', tool });
  return offer;
}

export const modelTools = (offer: Offer): readonly ModelTool[] =>
  [...offer.values()].map(({ kind, tool }) => ({
    name: tool.name,
    description:
      kind === 'own' ? describeLongRunning(tool.description, tool.results) : tool.description,
    inputSchema: tool.inputSchema,
  }));

export const isLongRunning = (offered: OfferedTool): boolean =>
  offered.kind === 'own' || offered.tool.longRunning;

export const offersLongRunning = (offer: Offer): boolean => [...offer.values()].some(isLongRunning);

/** How far a call must be for the model to hear of it. */
export function thresholdsIn(offer: Offer, tool: string): readonly number[] {
  return offer.get(tool)?.tool.progressAt ?? [];
}
