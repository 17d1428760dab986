import type { JWTPayload } from 'jose';
import type { KeylessProvider, VerifyWorkload, Workload } from '../core/ci/workload.ts';
import { runUrl } from '../core/ci/run-url.ts';
import { digestOf } from '../core/digest.ts';
import { ok, refuse } from '../core/result.ts';
import type { Settings } from '../ports.ts';
import type { TrustedIssuer } from './ci-settings.ts';
import { algorithms, issuerKeys, skewS, whyRefused } from './token-verifier.ts';

/** Runs that a stranger can set off with the rights of the repository. */
const dangerousEvents = new Set(['pull_request_target', 'workflow_run']);

const refused = {
  reason: 'unauthorized',
  detail: 'This token does not come from a run that is trusted here.',
} as const;

/** Checks what runs of trusted repositories say about themselves: signed by their system, for our address. */
export function workloadVerifier(
  trusted: readonly TrustedIssuer[],
  settings: Pick<Settings, 'publicUrl'>,
): VerifyWorkload {
  const known = trusted.map((one) => ({
    ...one,
    keyOf: issuerKeys({ ...one, jwksUrl: undefined }),
  }));
  return async (token, provider) => {
    const from = issuerIn(token);
    const one = known.find(
      ({ issuer, ...its }) => issuer === from && (!provider || its.provider === provider),
    );
    const { publicUrl } = settings;
    if (!one || !publicUrl) return refuse(refused);
    const { jwtVerify } = await import('jose/jwt/verify');
    try {
      const { payload } = await jwtVerify(token, one.keyOf, {
        algorithms,
        issuer: one.issuer,
        audience: [publicUrl, `${publicUrl}/callbacks`],
        requiredClaims: ['exp'],
        clockTolerance: skewS,
      });
      return isTrusted(one, payload)
        ? ok(workloadOf(one.provider, payload, digestOf(token)))
        : refuse(refused);
    } catch (thrown) {
      if (whyRefused(thrown) === undefined) throw thrown;
      return refuse(refused);
    }
  };
}

/** Before its signature is checked: it only says whose keys to check it with. */
function issuerIn(token: string): string | undefined {
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { iss } = JSON.parse(text) as { readonly iss?: unknown };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}

function isTrusted({ provider, pins }: TrustedIssuer, claims: JWTPayload): boolean {
  const event = textOf(claims.event_name);
  // GitHub names the event of every run: without one nobody knows who set it off.
  if (provider === 'github' && event === undefined) return false;
  if (dangerousEvents.has(event ?? '')) return false;
  return pins.every(({ claim, values }) => values.includes(textOf(claims[claim]) ?? ''));
}

function workloadOf(provider: KeylessProvider, claims: JWTPayload, tokenDigest: string): Workload {
  const { repository, project_path, pipeline_slug, run_id, pipeline_id, build_id } = claims;
  const slug = claims['oidc.circleci.com/project-id'];
  const runId = provider === 'github' ? run_id : provider === 'gitlab' ? pipeline_id : build_id;
  return {
    provider,
    tokenId: claims.jti === undefined ? tokenDigest : `${claims.iss}#${claims.jti}`,
    repository: textOf(repository ?? project_path ?? pipeline_slug ?? slug) ?? '',
    runId: textOf(runId),
    attempt: Number(textOf(claims.run_attempt) ?? 1) || 1,
    commit: textOf(claims.sha ?? claims.build_commit),
    url: runUrl(provider, claims),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
