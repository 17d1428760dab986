import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isInitializeRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type InitializeRequest,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Owner } from '../../core/ids.ts';
import type { Visit } from './door.ts';
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
  /** Which protocol it speaks; they are dates, so the later one is the greater text. */
  readonly version: string;
}

export const modernVersion = '2026-07-28';
/** The only older protocol with tasks, and with streams that can be gone on with. */
export const legacyTasksVersion = '2025-11-25';
/** Before it nobody knows links to resources in a result. */
const linksVersion = '2025-06-18';

export const knowsLinks = ({ version }: Pick<Client, 'version'>) => version >= linksVersion;

const stranger: Client = {
  name: '',
  elicits: false,
  declaresTasks: false,
  version: modernVersion,
};

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
    version: modernVersion,
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
  const version =
    headers.get('mcp-protocol-version') ?? said?.version ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
  return { ...stranger, version, ...(said ? { name: said.name, elicits: said.elicits } : {}) };
}

/** The same for a request that may be the very one in which the client says it. */
export function clientOfVisit(
  ports: McpNeeds,
  { owner, request, body }: Pick<Visit, 'owner' | 'request' | 'body'>,
): Client {
  const known = clientInSession(ports, owner, request.headers);
  return isInitializeRequest(body) ? { ...known, version: versionAgreed(body) } : known;
}

/** As the SDK agrees to it: what is asked for, or else the newest of the older ones. */
const versionAgreed = ({ params: { protocolVersion } }: InitializeRequest): string =>
  SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion) ? protocolVersion : LATEST_PROTOCOL_VERSION;

export function sessionFor(ports: McpNeeds, owner: Owner, body: unknown): string | undefined {
  if (!isInitializeRequest(body)) return undefined;
  const { clientInfo, capabilities } = body.params;
  const name = clientInfo.name.slice(0, 100);
  const elicits = showsForms(capabilities.elicitation);
  const said = { owner, name, elicits, version: versionAgreed(body) };
  return seal(ports, 'client', said, ports.clock.nowMs() + sessionMs);
}
