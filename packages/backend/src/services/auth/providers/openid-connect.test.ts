import { generateKeyPairSync } from 'node:crypto';
import { buildProviders } from '@fabrica/backend/testing/auth/build-test-providers.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '@fabrica/backend/testing/auth/openid-stand-in.ts';
import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../core/errors.ts';
import type { Identity, IdentityProvider, ProviderFlow } from './identity-provider.ts';

const SECRET = 'the-secret-of-the-client';
const flow: ProviderFlow = {
  redirectUri: 'https://journal.example/api/auth/callback/hospital',
  state: 'journal.of-this-flow',
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
};

describe('an OpenID Connect provider', () => {
  let standIn: OpenIdStandIn;
  beforeEach(async () => {
    standIn = await startOpenIdStandIn();
  });
  afterEach(() => standIn.close());

  const build = (name = 'HOSPITAL', extra: Record<string, string> = {}): IdentityProvider => {
    const [provider] = buildProviders({
      [`OAUTH_${name}_ISSUER`]: standIn.issuer,
      [`OAUTH_${name}_CLIENT_ID`]: 'fabrica',
      ...(extra.OAUTH_APPLE_KEY_ID ? {} : { [`OAUTH_${name}_CLIENT_SECRET`]: SECRET }),
      ...extra,
    });
    if (!provider) throw new Error('No provider.');
    return provider;
  };
  /** The browser's part: off to the provider, and back. */
  const travel = async (provider: IdentityProvider) => {
    const response = await fetch(await provider.begin(flow), { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location) return { callback: new URL(location) };
    const form = new URLSearchParams((await response.json()) as Record<string, string>);
    const callback = new URL(flow.redirectUri);
    for (const name of ['code', 'state', 'error']) {
      if (form.has(name)) callback.searchParams.set(name, form.get(name) ?? '');
    }
    return { callback, form };
  };
  const identify = async (provider = build()): Promise<Identity> =>
    provider.finish({ ...flow, ...(await travel(provider)) });
  const failure = async (attempt: Promise<unknown>): Promise<AppError> => {
    try {
      await attempt;
    } catch (error) {
      return error as AppError;
    }
    throw new Error('It should have failed.');
  };

  it('the discovery document is fetched once, at the first sign-in', async () => {
    const provider = build();
    expect(standIn.discoveries()).toBe(0);
    await Promise.all([provider.begin(flow), provider.begin(flow)]);
    await identify(provider);
    expect(standIn.discoveries()).toBe(1);
  });

  it('the discovery document is fetched again after a failure', async () => {
    const provider = build();
    standIn.script.responses.discovery = { status: 503, body: 'Closed', type: 'text/plain' };
    expect((await failure(provider.begin(flow))).code).toBe('NETWORK_ERROR');
    standIn.script.responses = {};
    expect((await identify(provider)).subject).toBe('person');
  });

  it('a provider’s claims become an identity', async () => {
    standIn.script.claims = {
      sub: 'u-1',
      email: 'ada@example.org',
      email_verified: true,
      name: 'Ada',
      picture: 'https://pictures.example/a.png',
    };
    expect(await identify()).toEqual({
      subject: 'u-1',
      email: 'ada@example.org',
      emailVerified: true,
      name: 'Ada',
      pictureUrl: 'https://pictures.example/a.png',
    });
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['HOSPITAL', {}, false],
    ['HOSPITAL', { email_verified: true }, true],
    ['HOSPITAL', { email_verified: false }, false],
    ['HOSPITAL', { email_verified: 'false' }, false],
    ['HOSPITAL', { email_verified: 1 }, false],
    ['HOSPITAL', { email_verified: null }, false],
    ['HOSPITAL', { xms_edov: true }, false],
    ['MICROSOFT', {}, false],
    ['MICROSOFT', { xms_edov: true }, true],
    ['MICROSOFT', { xms_edov: '1' }, true],
    ['MICROSOFT', { xms_edov: false }, false],
    ['MICROSOFT', { xms_edov: '0' }, false],
    ['APPLE', { email_verified: 'true' }, true],
    ['APPLE', { email_verified: 'false' }, false],
  ])(
    'the e-mail of a provider like %s with the claims %j is verified: %j',
    async (name, claims, verified) => {
      standIn.script.claims = { email: 'ada@example.org', ...claims };
      expect(await identify(build(name))).toMatchObject({
        email: 'ada@example.org',
        emailVerified: verified,
      });
    },
  );

  it('e-mail and verification are taken from one source', async () => {
    standIn.script.claims = { email: 'mallory@example.org' };
    standIn.script.userInfo = { sub: 'person', email: 'ada@example.org', email_verified: true, name: 'Ada' };
    expect(await identify()).toMatchObject({
      email: 'mallory@example.org',
      emailVerified: false,
      name: 'Ada',
    });
    standIn.script.claims = {};
    expect(await identify()).toMatchObject({ email: 'ada@example.org', emailVerified: true });
  });

  it('a sign-in is refused when the user info is about somebody else', async () => {
    standIn.script.userInfo = { sub: 'somebody-else', email: 'ada@example.org', email_verified: true };
    expect((await failure(identify())).code).toBe('VERIFICATION_FAILED');
  });

  it.each<[string, Record<string, unknown>]>([
    ['the nonce of another sign-in', { nonce: 'x'.repeat(43) }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a time that is over', { exp: 1_000_000 }],
    ['no subject', { sub: undefined }],
  ])('a sign-in is refused with %s', async (_, claims) => {
    standIn.script.claims = { email: 'ada@example.org', email_verified: true, ...claims };
    expect((await failure(identify())).code).toBe('VERIFICATION_FAILED');
  });

  it('a sign-in is refused when another key signed the token', async () => {
    standIn.script.foreignKey = true;
    expect((await failure(identify())).code).toBe('VERIFICATION_FAILED');
  });

  it('a sign-in is refused with the state of another sign-in or another issuer', async () => {
    const provider = build();
    const { callback } = await travel(provider);
    for (const [name, value] of [
      ['state', 'journal.of-another-flow'],
      ['state', ''],
      ['iss', 'https://evil.example'],
      ['code', ''],
    ] as const) {
      const changed = new URL(callback);
      changed.searchParams.set(name, value);
      const error = await failure(provider.finish({ ...flow, callback: changed }));
      expect([name, value, error.code]).toEqual([name, value, 'VERIFICATION_FAILED']);
    }
  });

  it.each([
    ['access_denied', 'POPUP_CANCELED'],
    ['user_cancelled_authorize', 'POPUP_CANCELED'],
    ['server_error', 'NETWORK_ERROR'],
    ['temporarily_unavailable', 'NETWORK_ERROR'],
    ['invalid_scope', 'VERIFICATION_FAILED'],
    ['<script>', 'VERIFICATION_FAILED'],
  ])('a provider that sends the browser back with %s leads to %s', async (errorCode, code) => {
    standIn.script.error = errorCode;
    expect((await failure(identify())).code).toBe(code);
  });

  it.each([
    [{ status: 400, body: '{"error":"invalid_grant"}' }, 'VERIFICATION_FAILED'],
    [{ status: 401, body: '{"error":"invalid_client"}' }, 'NETWORK_ERROR'],
    [{ status: 500, body: '{"error":"server_error"}' }, 'NETWORK_ERROR'],
    [{ status: 200, body: '{}' }, 'NETWORK_ERROR'],
    [{ status: 200, body: '{"access_token":"a","token_type":"Bearer"}' }, 'NETWORK_ERROR'],
    [{ status: 200, body: '{"access_token":"a","token_type":"Bearer","id_token":"a.b.c"}' }, 'NETWORK_ERROR'],
    [{ status: 200, body: '[' }, 'NETWORK_ERROR'],
    [{ status: 200, body: '<h1>Hello</h1>', type: 'text/html' }, 'NETWORK_ERROR'],
    [{ status: 503, body: 'Closed', type: 'text/plain' }, 'NETWORK_ERROR'],
  ])('a provider that responds to a code with %j leads to %s', async (response, code) => {
    standIn.script.responses.token = response;
    const error = await failure(identify());
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/Hospital.*Please try again\.$/);
  });

  it('a failed sign-in logs no secret, code or token', async () => {
    const provider = build();
    const { callback } = await travel(provider);
    const code = callback.searchParams.get('code') ?? '';
    const body = JSON.stringify({ error: 'invalid_client', error_description: `${code} ${SECRET}` });
    standIn.script.responses.token = { status: 401, body };
    const { cause } = await failure(provider.finish({ ...flow, callback }));
    expect((cause as Error).message).toContain('invalid_client');
    const logged = `${(cause as Error).stack} ${JSON.stringify(cause)} ${(cause as Error).cause ?? ''}`;
    for (const secret of [code, SECRET, flow.codeVerifier, flow.nonce]) expect(logged).not.toContain(secret);
  });

  it('the client secret is sent in the header, or in the body when the provider supports only that', async () => {
    await identify();
    expect(standIn.exchanges[0]?.authorization).toMatch(/^Basic /);
    expect(standIn.exchanges[0]?.body.get('code_verifier')).toBe(flow.codeVerifier);
    standIn.script.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    await identify();
    expect(standIn.exchanges[1]?.authorization).toBeUndefined();
    expect(standIn.exchanges[1]?.body.get('client_secret')).toBe(SECRET);
  });

  it('the client secret is sent in the other way after a rejection, and in that way from then on', async () => {
    standIn.script.secretInBody = true;
    const provider = build();
    expect((await identify(provider)).subject).toBe('person');
    expect((await identify(provider)).subject).toBe('person');
    expect(standIn.exchanges.map(({ authorization }) => authorization !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  describe('Apple', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = {
      OAUTH_APPLE_TEAM_ID: 'TEAM123456',
      OAUTH_APPLE_KEY_ID: 'KEY1234567',
      OAUTH_APPLE_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })).replaceAll(
        '\n',
        '\\n',
      ),
    };

    it('Apple has the browser post, and sends a name beside its first code', async () => {
      standIn.script.claims = { email: 'ada@example.org', email_verified: 'true' };
      standIn.script.form = {
        user: '{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"mallory@example.org"}',
      };
      const provider = build('APPLE');
      expect(provider.respondsByPost).toBe(true);
      const away = await provider.begin(flow);
      expect(away.searchParams.get('response_mode')).toBe('form_post');
      expect(away.searchParams.get('scope')).toBe('openid email name');
      expect(await identify(provider)).toMatchObject({
        email: 'ada@example.org',
        emailVerified: true,
        name: 'Ada Lovelace',
      });
    });

    it.each(['', '{', 'null', '{"name":null}', '{"name":{"firstName":7}}', '[]'])(
      'a sign-in with Apple succeeds when %j is posted as the name',
      async (user) => {
        standIn.script.form = { user };
        expect((await identify(build('APPLE'))).name).toBeNull();
      },
    );

    it('Apple gets a client secret that is signed for the call', async () => {
      await identify(build('APPLE', key));
      const secret = standIn.exchanges[0]?.body.get('client_secret') ?? '';
      const { payload, protectedHeader } = await jwtVerify(secret, publicKey, { algorithms: ['ES256'] });
      expect(protectedHeader.kid).toBe('KEY1234567');
      expect(payload).toMatchObject({ iss: 'TEAM123456', sub: 'fabrica', aud: standIn.issuer });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    });
  });
});
