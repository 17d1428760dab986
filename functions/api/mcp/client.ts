import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isInitializeRequest,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Owner } from '../../core/ids.ts';
import type { McpNeeds } from './needs.ts';
import { seal, unseal } from './seals.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** What is known of the program that asks. */
export interface Client {
  readonly name: string;
  /** Whether it can put a question to its user, as a form. */
  readonly elicits: boolean;
  /** Whether this very request says that it understands tasks. */
  readonly declaresTasks: boolean;
}

const stranger: Client = { name: '', elicits: false, declaresTasks: false };

const envelope = z.looseObject({
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: z
    .looseObject({
      elicitation: z.unknown().optional(),
      extensions: z.record(z.string(), z.unknown()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** 2026-07-28: every request says who sends it and what they can do. */
export function clientInEnvelope(meta: unknown): Client {
  const read = envelope.safeParse(meta);
  if (!read.success) return stranger;
  const capabilities = read.data[CLIENT_CAPABILITIES_META_KEY];
  return {
    name: read.data[CLIENT_INFO_META_KEY]?.name ?? '',
    elicits: showsForms(capabilities?.elicitation),
    declaresTasks: isObject(capabilities?.extensions?.[tasksExtension]),
  };
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** Before there were kinds of elicitation all were forms, so one that names no kind means forms. */
const showsForms = (elicitation: unknown) =>
  typeof elicitation === 'object' &&
  elicitation !== null &&
  (Object.keys(elicitation).length === 0 || 'form' in elicitation);

export const sessionHeader = 'mcp-session-id';
/** Longer than a client stays; after it the client is a stranger, which costs it only our patience. */
const sessionMs = 7 * 24 * 60 * 60_000;

/** Older protocols say it once. Nothing is stored: the session id itself carries it back to us. */
export function clientInSession(ports: McpNeeds, owner: Owner, headers: Headers): Client {
  const sealed = headers.get(sessionHeader);
  const said = sealed === null ? undefined : unseal(ports, 'client', sealed, owner);
  return said ? { ...stranger, name: said.name, elicits: said.elicits } : stranger;
}

export function sessionFor(ports: McpNeeds, owner: Owner, body: unknown): string | undefined {
  if (!isInitializeRequest(body)) return undefined;
  const { clientInfo, capabilities } = body.params;
  const name = clientInfo.name.slice(0, 100);
  const elicits = showsForms(capabilities.elicitation);
  return seal(ports, 'client', { owner, name, elicits }, ports.clock.nowMs() + sessionMs);
}
