import type { Construct } from 'constructs';
import { contextText } from './context-text.ts';

const https = /^https:\/\/\S+$/;

/** What a deployer may say about who is let in, by `-c`, and the name under which the API reads it. */
const settings = [
  ['publicUrl', 'PUBLIC_URL', 'be an https:// address', https],
  ['oauthIssuer', 'OAUTH_ISSUER', 'be an https:// address', https],
  ['oauthAudience', 'OAUTH_AUDIENCE', 'be one audience', /^\S+$/],
  ['oauthJwksUrl', 'OAUTH_JWKS_URL', 'be an https:// address', https],
  ['oauthScopes', 'OAUTH_SCOPES', 'name one scope or two', /^\S+([ ,]+\S+)?$/],
  ['allowedOrigins', 'ALLOWED_ORIGINS', 'be origins with commas between them', /^[^\s*]+$/],
] as const;

/** A function cannot be told its own address by the template that makes it, and tokens are for an address. */
export function accessEnvironment(scope: Construct): Readonly<Record<string, string>> {
  const given = settings.flatMap(([context, name, must, form]) => {
    const text = contextText(scope, context, must, form);
    return text === undefined ? [] : [[name, text] as const];
  });
  const environment = Object.fromEntries(given);
  if ('OAUTH_ISSUER' in environment && !('PUBLIC_URL' in environment)) {
    throw new Error(
      'The context "oauthIssuer" needs "publicUrl": tokens are issued for an address',
    );
  }
  return environment;
}
