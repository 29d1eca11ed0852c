import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { notRefused, type Sent } from '../exchange.ts';
import type { Target } from '../target.ts';

/** Calls that a valid token would open. */
const CALLS: Record<string, (target: Target) => Sent> = {
  'the own account': () => ({ path: '/api/auth/me' }),
  'a change of the account': () => ({ method: 'PATCH', path: '/api/auth/me', body: { displayName: 'Eve' } }),
  'an export': () => ({ path: '/api/auth/export' }),
  'a list of sessions': () => ({ path: '/api/auth/sessions' }),
  'a read of posts': () => ({ path: '/api/db/journal/rest/v1/journal_posts?select=id' }),
  'a change of a post': ({ belongings }) => ({
    method: 'PATCH',
    path: `/api/db/journal/rest/v1/journal_posts?id=eq.${belongings.post}`,
    body: { title: 'Taken' },
  }),
  'a deletion of a post': ({ belongings }) => ({
    method: 'DELETE',
    path: `/api/db/journal/rest/v1/journal_posts?id=eq.${belongings.post}`,
  }),
  SQL: () => ({ method: 'POST', path: '/api/db/journal/sql', body: { query: 'select 1', params: [] } }),
  'a removal of a file': ({ belongings }) => ({
    method: 'DELETE',
    path: '/api/storage/journal/remove',
    body: { paths: [belongings.file] },
  }),
  'a text by AI': () => ({ method: 'POST', path: '/api/ai/journal/text', body: { prompt: 'x' } }),
  'a fetch': () => ({
    method: 'POST',
    path: '/api/data/journal/fetch',
    body: { url: 'http://127.0.0.1/' },
  }),
  'a reset link': ({ victim }) => ({
    method: 'POST',
    path: '/api/auth/password/reset/generate',
    body: { email: victim.email, projectId: 'journal' },
  }),
};

/** Attempts to be taken for somebody by a token that this server has not given out for it. */
export function tokenForgeries(target: Target): AttackClass {
  const attempts = pairs(Object.entries(CALLS), Object.entries(buildForgeries(target))).map(
    ([[call, sent], [what, token]]): Attempt => ({
      what: `${what} for ${call}`,
      run: async () => {
        const { headers, ...rest } = sent(target);
        const authorization = `Bearer ${token}`;
        return notRefused(
          await target.send(undefined, { ...rest, headers: { ...headers, authorization } }),
          [401],
        );
      },
    }),
  );
  return { name: 'forged tokens', attempts, concurrency: 8, findHarm: () => findHarm(target) };
}

async function findHarm({ victim, belongings }: Target): Promise<string[]> {
  const response = await victim.rest('GET', `journal_posts?id=eq.${belongings.post}&select=title`);
  const body = await response.text();
  return body === '[{"title":"The eye"}]' ? [] : [`the victim's post is now ${body}`];
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Returns tokens by what is wrong with them. */
function buildForgeries({ victim, server, signingKey, secretKey }: Target): Record<string, string> {
  const [head = '', body = '', tag = ''] = victim.token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const own = createPrivateKey({ key: signingKey, format: 'jwk' });
  const { privateKey: foreign, publicKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const publicX = String(signingKey.x);

  const signed = (key: KeyObject, changes: object, headers: object = {}) => {
    const content = `${encode({ ...header, ...headers })}.${encode({ ...claims, ...changes })}`;
    return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
  };
  const keyed = (secret: string | Buffer, alg: string, hash: string) => {
    const content = `${encode({ ...header, alg })}.${body}`;
    return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`;
  };
  const now = Math.floor(Date.now() / 1_000);

  const forgeries: Record<string, string> = {
    'an empty token': '',
    'a word': 'token',
    'a dot': '.',
    'two dots': '..',
    'four parts': `${victim.token}.${tag}`,
    'no signature': `${head}.${body}.`,
    'no dot behind the body': `${head}.${body}`,
    'no head': `.${body}.${tag}`,
    'no body': `${head}..${tag}`,
    'the signature alone': tag,
    'two tokens': `${victim.token},${victim.token}`,
    'a token in quotes': `"${victim.token}"`,
    'null for a body': `${head}.${encode('null')}.${tag}`,
    'a list for a body': `${head}.${encode('[]')}.${tag}`,
    'a body that is no JSON': `${head}.${encode('{')}.${tag}`,
    'a head that is no JSON': `${encode('{')}.${body}.${tag}`,
    'a head with a prototype': `${encode('{"__proto__":{"alg":"none"}}')}.${body}.${tag}`,
    'a refresh token': victim.session.refresh_token,
    'a secret key of another project': `sk_${'A'.repeat(43)}`,
    'a secret key that is too short': secretKey.slice(0, -1),
    'a secret key that is too long': `${secretKey}A`,
    'a secret key in capitals': secretKey.toUpperCase(),
    'a secret key with a wildcard': 'sk_%',
    'a secret key that is empty': 'sk_',
    'a secret key behind a zero': `sk_\u00a0${secretKey.slice(3)}`,
    'the account': victim.id,
    'the e-mail address': victim.email,
    'a key of the published set': publicX,
    'a foreign key': signed(foreign, {}),
    'a foreign key in its own head': signed(foreign, {}, { jwk: publicKey.export({ format: 'jwk' }) }),
    'a foreign key by address': signed(foreign, {}, { jku: `${server.url}/storage/journal/k.json` }),
    'a foreign key by certificate': signed(foreign, {}, { x5u: 'http://127.0.0.1/', x5c: ['AA=='] }),
    'an RSA signature': (() => {
      const content = `${encode({ ...header, alg: 'RS256' })}.${body}`;
      return `${content}.${sign('sha256', Buffer.from(content), rsa.privateKey).toString('base64url')}`;
    })(),
  };
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'null']) {
    forgeries[`the algorithm ${JSON.stringify(alg)} without a signature`] =
      `${encode({ ...header, alg })}.${body}.`;
    forgeries[`the algorithm ${JSON.stringify(alg)} with the old signature`] =
      `${encode({ ...header, alg })}.${body}.${tag}`;
  }
  for (const alg of ['RS256', 'PS256', 'ES256', 'ES512', 'Ed448', 'EdDSA ', 'eddsa', 'dir', 'A256KW']) {
    forgeries[`the algorithm ${alg} over the old signature`] = `${encode({ ...header, alg })}.${body}.${tag}`;
  }
  const secrets = {
    'the public key': publicX,
    'its bytes': Buffer.from(publicX, 'base64url'),
    'its JSON': JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: publicX }),
    nothing: '',
    'the word secret': 'secret',
    'its name': String(header.kid),
  };
  for (const [what, secret] of Object.entries(secrets)) {
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      forgeries[`${alg} with ${what}`] = keyed(secret, alg, hash);
    }
  }
  const kids = [
    '',
    'none',
    '../../../../dev/null',
    '/dev/null',
    "' OR '1'='1",
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(10_000),
    null,
    0,
    [],
    {},
  ];
  for (const kid of kids) {
    forgeries[`a foreign key under the name ${JSON.stringify(kid).slice(0, 40)}`] = signed(
      foreign,
      {},
      { kid },
    );
  }
  const changes: Record<string, object> = {
    'another role': { role: 'admin' },
    'another account': { sub: 'user_other' },
    'another project': { project_id: 'other' },
    'another type': { type: 'refresh' },
    'no type': { type: undefined },
    'no account': { sub: undefined },
    'no session': { sid: undefined },
    'an end in the past': { exp: now - 3_600 },
    'an end long ago': { exp: 0 },
    'no end': { exp: undefined },
    'an end that is a text': { exp: String(now + 3_600) },
    'a start in the future': { iat: now + 3_600 },
    'no start': { iat: undefined },
    'not before tomorrow': { nbf: now + 86_400 },
    'a list of accounts': { sub: [claims.sub] },
    'an account that is an object': { sub: { $ne: null } },
    'another session': { sid: 'session_other' },
    'a session that is an object': { sid: {} },
    'another issuer': { iss: 'https://evil.example' },
    'no issuer': { iss: undefined },
    'another audience': { aud: 'other' },
    'no audience': { aud: undefined },
    'a list of audiences': { aud: ['other', claims.aud] },
  };
  for (const [what, change] of Object.entries(changes)) {
    forgeries[`${what}, over the old signature`] = `${head}.${encode({ ...claims, ...change })}.${tag}`;
  }
  // Our own key has signed these, as another service with a copy of it might.
  const { 'another role': _role, ...refusedAnyway } = changes;
  for (const [what, change] of Object.entries(refusedAnyway)) {
    forgeries[`${what}, signed with our own key`] = signed(own, change);
  }
  for (const position of [0, 10, 40, 84]) {
    forgeries[`a signature with another character at ${position}`] =
      `${head}.${body}.${swapped(tag, position)}`;
    forgeries[`a body with another character at ${position}`] = `${head}.${swapped(body, position)}.${tag}`;
  }
  for (const length of [1, 43, 85]) {
    forgeries[`${length} characters of the signature`] = `${head}.${body}.${tag.slice(0, length)}`;
  }
  return forgeries;
}

/** Returns the text with another character of the alphabet at this position. */
function swapped(text: string, position: number): string {
  const other = text[position] === 'A' ? 'B' : 'A';
  return text.slice(0, position) + other + text.slice(position + 1);
}
