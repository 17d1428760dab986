import { createHash } from 'node:crypto';
import { asOwner, type Owner } from './ids.ts';
import type { Result } from './result.ts';

/** What may be done with a task: look at it, or start, answer and cancel it. */
export type Right = 'read' | 'change';
export const allRights: readonly Right[] = ['read', 'change'];

/** Whose tokens are taken, and for what: the resource server of OAuth 2.1. */
export interface OAuth {
  readonly issuer: string;
  /** What a token must have been issued for. */
  readonly audience: string;
  /** The canonical address of the MCP door, which is what clients ask tokens for. */
  readonly resource: string;
  /** RFC 9728: where a client learns who issues the tokens. */
  readonly metadataUrl: string;
  /** Where the issuer's keys are; undefined: it is asked. */
  readonly jwksUrl: string | undefined;
  readonly scopes: Readonly<Record<Right, string>>;
}

/** What is left of a token once it has been checked. */
export interface TokenClaims {
  readonly subject: string;
  readonly scopes: readonly string[];
}

export type VerifyToken = (token: string) => Promise<Result<TokenClaims>>;

/**
 * Always a digest, never the subject itself: whoever can choose a name at the issuer must not thereby
 * become the owner of an API key, and the same subject of another issuer is somebody else.
 */
export function ownerOf(issuer: string, subject: string): Owner {
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  return asOwner(`o_${digest.slice(0, 32)}`);
}

export const rightsOf = (oauth: OAuth, scopes: readonly string[]) =>
  allRights.filter((right) => scopes.includes(oauth.scopes[right]));

const scopesOf = (oauth: OAuth, rights: readonly Right[] = allRights) => [
  ...new Set(rights.map((right) => oauth.scopes[right])),
];

/** The protected resource metadata of RFC 9728. */
export const resourceMetadata = (oauth: OAuth) => ({
  resource: oauth.resource,
  authorization_servers: [oauth.issuer],
  scopes_supported: scopesOf(oauth),
  bearer_methods_supported: ['header'],
  resource_name: 'Boomerang',
});

/** What WWW-Authenticate says: where to get a token, for which scopes, and what was wrong with this one. */
export function challenge(
  oauth: OAuth,
  { error, rights = allRights }: { readonly error?: string; readonly rights?: readonly Right[] },
): string {
  const said = {
    ...(error === undefined ? {} : { error }),
    resource_metadata: oauth.metadataUrl,
    scope: scopesOf(oauth, rights).join(' '),
  };
  return `Bearer ${Object.entries(said)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}
