import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { readOAuth, readOrigins } from '../../functions/adapters/access-settings.ts';
import { accessEnvironment } from '../../infra/access-settings.ts';

const publicUrl = 'https://boomerang.example';
const environmentFor = (context: Record<string, string>) => accessEnvironment(new App({ context }));

describe('who is let in', () => {
  test('is said by context, in words that the API reads', () => {
    const environment = environmentFor({
      publicUrl,
      oauthIssuer: 'https://issuer.example/',
      oauthAudience: 'api://boomerang',
      oauthJwksUrl: 'https://issuer.example/keys',
      oauthScopes: 'look change',
      allowedOrigins: 'https://app.example,https://other.example',
    });
    expect(readOAuth(environment, { publicUrl })).toEqual({
      issuer: 'https://issuer.example/',
      audience: 'api://boomerang',
      jwksUrl: 'https://issuer.example/keys',
      scopes: { read: 'look', change: 'change' },
      resource: `${publicUrl}/mcp`,
      metadataUrl: `${publicUrl}/.well-known/oauth-protected-resource/mcp`,
    });
    expect(readOrigins(environment)).toEqual(['https://app.example', 'https://other.example']);
    expect(environment).toMatchObject({ PUBLIC_URL: publicUrl });
  });

  test('is by keys alone when nothing is said', () => {
    expect(environmentFor({})).toEqual({});
    expect(environmentFor({ oauthIssuer: '', publicUrl: '' })).toEqual({});
  });

  test.each([
    [{ oauthIssuer: 'https://issuer.example' }, /needs "publicUrl"/],
    [{ publicUrl, oauthIssuer: 'http://issuer.example' }, /"oauthIssuer" must be an https/],
    [{ publicUrl: 'boomerang.example' }, /"publicUrl" must be an https/],
    [{ publicUrl, oauthIssuer: 'https://i.example', oauthScopes: 'a b c' }, /"oauthScopes" must/],
    [{ allowedOrigins: '*' }, /"allowedOrigins" must/],
  ])('is refused when it makes no sense: %o', (context, said) => {
    expect(() => environmentFor(context)).toThrow(said);
  });
});
