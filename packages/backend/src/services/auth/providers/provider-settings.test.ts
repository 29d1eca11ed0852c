import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseProviders } from './provider-settings.ts';

const parse = (environment: Record<string, string>) => {
  const faults: string[] = [];
  return { providers: parseProviders(environment, faults), faults };
};
const google = { OAUTH_GOOGLE_CLIENT_ID: 'g', OAUTH_GOOGLE_CLIENT_SECRET: 's' };

describe('settings of identity providers', () => {
  it('no provider is set up by default or by blank settings', () => {
    expect(parse({})).toEqual({ providers: [], faults: [] });
    expect(parse({ OAUTH_GOOGLE_CLIENT_ID: '', OAUTH_X_ISSUER: ' ' })).toEqual({ providers: [], faults: [] });
    expect(parse({ OAUTH_TOKEN: 'of something else', OAUTHX: 'x' })).toEqual({ providers: [], faults: [] });
  });

  it('the preset providers need no issuer and come first', () => {
    const { providers, faults } = parse({
      OAUTH_ARCHIVE_ISSUER: 'https://sso.archive.example/realms/main',
      OAUTH_ARCHIVE_CLIENT_ID: 'a',
      OAUTH_GITHUB_CLIENT_ID: 'h',
      OAUTH_GITHUB_CLIENT_SECRET: 's',
      OAUTH_APPLE_CLIENT_ID: 'i',
      OAUTH_APPLE_CLIENT_SECRET: 's',
      OAUTH_MICROSOFT_CLIENT_ID: 'm',
      OAUTH_MICROSOFT_CLIENT_SECRET: 's',
      ...google,
    });
    expect(faults).toEqual([]);
    expect(providers.map(({ id, label, issuer }) => [id, label, issuer])).toEqual([
      ['google', 'Google', 'https://accounts.google.com'],
      ['microsoft', 'Microsoft', 'https://login.microsoftonline.com/common/v2.0'],
      ['apple', 'Apple', 'https://appleid.apple.com'],
      ['github', 'GitHub', 'https://github.com'],
      ['archive', 'Archive', 'https://sso.archive.example/realms/main'],
    ]);
  });

  it('any other provider can be set up, also as a public client', () => {
    const { providers } = parse({
      OAUTH_CITY_HOSPITAL_ISSUER: ' https://id.hospital.example/ ',
      OAUTH_CITY_HOSPITAL_CLIENT_ID: 'fabrica',
    });
    expect(providers).toMatchObject([
      {
        id: 'city-hospital',
        label: 'City Hospital',
        issuer: 'https://id.hospital.example/',
        clientId: 'fabrica',
        credentials: { kind: 'none' },
      },
    ]);
    const labelled = parse({
      OAUTH_CITY_HOSPITAL_ISSUER: 'https://id.hospital.example',
      OAUTH_CITY_HOSPITAL_CLIENT_ID: 'fabrica',
      OAUTH_CITY_HOSPITAL_LABEL: 'Stadtspital Zürich',
    });
    expect(labelled.providers[0]?.label).toBe('Stadtspital Zürich');
  });

  it('a provider’s settings are read from files as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fabrica-settings-'));
    const path = join(folder, 'secret');
    await writeFile(path, 'from a file\n');
    const { providers } = parse({ OAUTH_GOOGLE_CLIENT_ID: 'g', OAUTH_GOOGLE_CLIENT_SECRET_FILE: path });
    expect(providers).toMatchObject([{ credentials: { kind: 'secret', secret: 'from a file' } }]);
    await rm(folder, { recursive: true });
    const { faults } = parse({ OAUTH_GOOGLE_CLIENT_ID: 'g', OAUTH_GOOGLE_CLIENT_SECRET_FILE: path });
    expect(faults).toEqual([
      `OAUTH_GOOGLE_CLIENT_SECRET_FILE: cannot be read (ENOENT: "${path}")`,
      'OAUTH_GOOGLE_CLIENT_SECRET: is missing',
    ]);
  });

  it.each([
    'http://id.example',
    'ftp://id.example',
    'id.example',
    'https://',
    'https://id.example?x=1',
    'https://id.example#x',
    'https://user:pass@id.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
  ])('the issuer %j is refused', (issuer) => {
    const { providers, faults } = parse({ OAUTH_FOO_ISSUER: issuer, OAUTH_FOO_CLIENT_ID: 'f' });
    expect(providers).toEqual([]);
    expect(faults).toEqual([
      `OAUTH_FOO_ISSUER: must be an https address without query (http only for this machine; it is "${issuer}")`,
    ]);
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:1', 'http://[::1]:8080/realm', 'http://id.localhost'])(
    'the issuer %j on this machine is accepted',
    (issuer) => {
      expect(parse({ OAUTH_FOO_ISSUER: issuer, OAUTH_FOO_CLIENT_ID: 'f' }).faults).toEqual([]);
    },
  );

  it('all faults of the providers’ settings are reported, without a secret', () => {
    const { faults } = parse({
      OAUTH_GOOGLE_CLIENT_ID: 'g',
      OAUTH_GITHUB_CLIENT_SECRET: 'hush',
      OAUTH_APPLE_CLIENT_ID: 'a',
      OAUTH_FOO_CLIENT_SECRET: 'hush',
      OAUTH_EMAIL_ISSUER: 'https://id.example',
      OAUTH_EMAIL_CLIENT_ID: 'e',
      OAUTH_BAR_ISSUER: 'https://id.example',
      OAUTH_BAR_CLIENT_ID: 'b',
      OAUTH_BAR_LABEL: 'x'.repeat(61),
    });
    expect(faults).toEqual([
      'OAUTH_GOOGLE_CLIENT_SECRET: is missing',
      'OAUTH_APPLE_CLIENT_SECRET: is missing; either this, or OAUTH_APPLE_TEAM_ID, OAUTH_APPLE_KEY_ID and OAUTH_APPLE_PRIVATE_KEY',
      'OAUTH_GITHUB_CLIENT_ID: is missing',
      'OAUTH_BAR_LABEL: must be 60 characters at most, on one line',
      'OAUTH_EMAIL_CLIENT_ID: "EMAIL" cannot be the name of a provider',
      'OAUTH_FOO_ISSUER: is missing',
      'OAUTH_FOO_CLIENT_ID: is missing',
    ]);
  });

  it('a key takes the place of Apple’s secret, and is refused when it is not one', () => {
    const pem = (namedCurve: string) =>
      String(generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const apple = { OAUTH_APPLE_CLIENT_ID: 'a', OAUTH_APPLE_TEAM_ID: 't', OAUTH_APPLE_KEY_ID: 'k' };
    for (const key of [pem('P-256'), pem('P-256').replaceAll('\n', '\\n')]) {
      const { providers, faults } = parse({ ...apple, OAUTH_APPLE_PRIVATE_KEY: key });
      expect(faults).toEqual([]);
      expect(providers[0]?.credentials).toMatchObject({ kind: 'apple-key', teamId: 't', keyId: 'k' });
    }
    for (const key of [pem('P-384'), 'not a key', '-----BEGIN PRIVATE KEY-----']) {
      expect(parse({ ...apple, OAUTH_APPLE_PRIVATE_KEY: key }).faults).toEqual([
        'OAUTH_APPLE_PRIVATE_KEY: must be the key in PEM form, for ES256, as Apple hands it out (.p8)',
      ]);
    }
  });
});
