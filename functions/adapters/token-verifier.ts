import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { OAuth, TokenClaims, VerifyToken } from '../core/oauth.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import { jwksUrlOf } from './issuer-metadata.ts';

/** Signatures only the issuer can make: nothing unsigned, and nothing a public key could sign. */
export const algorithms =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** What clocks may differ by. */
export const skewS = 5;

/** Checks access tokens of one issuer. Its keys are fetched when a token first needs them, then kept. */
export function tokenVerifier(oauth: OAuth): VerifyToken {
  const keyOf = issuerKeys(oauth);
  return async (token) => {
    const { jwtVerify } = await import('jose/jwt/verify');
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms,
        issuer: oauth.issuer,
        audience: oauth.audience,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: skewS,
      });
      return claimsOf(payload);
    } catch (thrown) {
      const detail = whyRefused(thrown);
      if (detail === undefined) throw thrown;
      return refuse({ reason: 'unauthorized', detail });
    }
  };
}

export function issuerKeys(oauth: Pick<OAuth, 'issuer' | 'jwksUrl'>): JWTVerifyGetKey {
  let finding: Promise<JWTVerifyGetKey> | undefined;
  const find = async () => {
    const { createRemoteJWKSet } = await import('jose/jwks/remote');
    return createRemoteJWKSet(new URL(oauth.jwksUrl ?? (await jwksUrlOf(oauth.issuer))));
  };
  return async (header, token) => {
    finding ??= find();
    // An issuer that does not answer now is asked again by the next token.
    finding.catch(() => (finding = undefined));
    return (await finding)(header, token);
  };
}

function claimsOf({ sub, scope, scp }: JWTPayload): Result<TokenClaims> {
  if (typeof sub !== 'string' || sub === '') return refuse(invalid);
  // Some issuers write `scp`, as a text or a list.
  const scopes = [scope, scp]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  return ok({ subject: sub, scopes });
}

const invalidText = 'This access token is not valid.';
const invalid = { reason: 'unauthorized', detail: invalidText } as const;

/** Why a token is refused; undefined when it is not the token that is at fault. */
export function whyRefused(thrown: unknown): string | undefined {
  const { code, claim } = thrown as { code?: unknown; claim?: unknown };
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return 'This access token has expired.';
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return claimTexts[String(claim)] ?? invalidText;
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
    case 'ERR_JOSE_NOT_SUPPORTED':
    case 'ERR_JWS_INVALID':
    case 'ERR_JWT_INVALID':
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return invalidText;
    default:
      return undefined;
  }
}

const claimTexts: { readonly [claim: string]: string } = {
  aud: 'This access token was not issued for this server.',
  iss: 'This access token is not from the issuer that is trusted here.',
  nbf: 'This access token is not valid yet.',
};
