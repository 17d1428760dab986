import { describe, expect, it } from 'vitest';
import { readOAuth, readOrigins } from '../../functions/adapters/access-settings.ts';
import { metadataUrls } from '../../functions/adapters/issuer-metadata.ts';
import { isWrongSetting } from '../../functions/adapters/settings.ts';

const OAUTH_ISSUER = 'https://issuer.example';
const publicUrl = 'https://boomerang.example';

describe('OAuth', () => {
  it('is off without an issuer', () => {
    const empty = { OAUTH_ISSUER: '', OAUTH_AUDIENCE: '', OAUTH_JWKS_URL: '', OAUTH_SCOPES: '' };
    expect(readOAuth({}, { publicUrl })).toBeUndefined();
    expect(readOAuth(empty, { publicUrl })).toBeUndefined();
  });

  it('needs nothing but an issuer', () => {
    expect(readOAuth({ OAUTH_ISSUER }, { publicUrl })).toEqual({
      issuer: OAUTH_ISSUER,
      audience: `${publicUrl}/mcp`,
      resource: `${publicUrl}/mcp`,
      metadataUrl: `${publicUrl}/.well-known/oauth-protected-resource/mcp`,
      jwksUrl: undefined,
      scopes: { read: 'tasks:read', change: 'tasks:write' },
    });
  });

  it('follows an address that becomes known later', () => {
    const settings = { publicUrl: '' };
    const oauth = readOAuth({ OAUTH_ISSUER }, settings);
    settings.publicUrl = 'http://127.0.0.1:4321';
    expect(oauth?.audience).toBe('http://127.0.0.1:4321/mcp');
  });

  it.each([
    [{ OAUTH_ISSUER: 'http://issuer.example' }, 'OAUTH_ISSUER must be an https:// address'],
    [{ OAUTH_ISSUER: 'issuer' }, 'OAUTH_ISSUER must be an https:// address'],
    [{ OAUTH_ISSUER: 'http://localhost.evil.example' }, 'OAUTH_ISSUER must be'],
    [{ OAUTH_ISSUER, OAUTH_JWKS_URL: 'http://issuer.example/jwks' }, 'OAUTH_JWKS_URL must be'],
    [{ OAUTH_ISSUER, OAUTH_JWKS_URL: 'file:///jwks' }, 'OAUTH_JWKS_URL must be'],
    [{ OAUTH_ISSUER, OAUTH_SCOPES: 'a b c' }, 'OAUTH_SCOPES must name'],
    [{ OAUTH_ISSUER, OAUTH_SCOPES: ', ' }, 'OAUTH_SCOPES must name'],
    [{ OAUTH_ISSUER, OAUTH_SCOPES: 'a"b' }, 'OAUTH_SCOPES must name'],
    [{ OAUTH_AUDIENCE: 'x' }, 'OAUTH_AUDIENCE says nothing without OAUTH_ISSUER'],
    [{ OAUTH_JWKS_URL: 'x' }, 'OAUTH_JWKS_URL says nothing without OAUTH_ISSUER'],
    [{ OAUTH_SCOPES: 'x' }, 'OAUTH_SCOPES says nothing without OAUTH_ISSUER'],
  ])('is refused with %j', (env, said) => {
    const read = () => readOAuth(env, { publicUrl });
    expect(read).toThrow(said);
    expect(read).toThrow(expect.toSatisfy(isWrongSetting));
  });

  it('asks an issuer where RFC 8414 and OpenID Connect say', () => {
    expect(metadataUrls('https://issuer.example/')).toEqual([
      'https://issuer.example/.well-known/oauth-authorization-server',
      'https://issuer.example/.well-known/openid-configuration',
    ]);
    expect(metadataUrls('https://issuer.example/one')).toEqual([
      'https://issuer.example/.well-known/oauth-authorization-server/one',
      'https://issuer.example/.well-known/openid-configuration/one',
      'https://issuer.example/one/.well-known/openid-configuration',
    ]);
  });
});

describe('ALLOWED_ORIGINS', () => {
  it('reads as browsers write them', () => {
    const text = 'https://one.example, http://localhost:5173/,vscode-file://vscode-app,';
    expect(readOrigins({ ALLOWED_ORIGINS: text })).toEqual([
      'https://one.example',
      'http://localhost:5173',
      'vscode-file://vscode-app',
    ]);
    expect(readOrigins({})).toEqual([]);
  });

  it.each([
    '*',
    'https://*.example',
    'one.example',
    'null',
    'https://a.example/path',
    'https://u@a',
  ])('is refused with %s', (text) => {
    expect(() => readOrigins({ ALLOWED_ORIGINS: text })).toThrow(expect.toSatisfy(isWrongSetting));
  });
});
