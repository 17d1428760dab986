import { isLoopback } from '../core/loopback.ts';

const timeoutMs = 5000;

/**
 * Where an issuer publishes its keys, asked of the issuer itself: RFC 8414 first, OpenID Connect second.
 * It throws when no answer is from that very issuer: then nobody can be let in, and the log says why.
 */
export async function jwksUrlOf(issuer: string): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const answer = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    });
    const found = answer.ok ? await answer.json().catch(() => undefined) : undefined;
    const jwksUrl = jwksUrlIn(found, issuer);
    if (jwksUrl !== undefined) return jwksUrl;
  }
  throw new Error(
    'The issuer of OAUTH_ISSUER does not say where its keys are: set OAUTH_JWKS_URL.',
  );
}

/** RFC 8414 puts its name before the issuer's path, OpenID Connect behind it. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

function jwksUrlIn(found: unknown, issuer: string): string | undefined {
  const metadata = (found ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  const { jwks_uri: url } = metadata;
  if (metadata.issuer !== issuer || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return url.startsWith('https:') || isLoopback(url) ? url : undefined;
}
