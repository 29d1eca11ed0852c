/**
 * A stand-in for an OpenID Connect issuer, for what a real one cannot be brought to say: the claims that vendors make
 * up, false tokens, nonsense. Its page signs in at once, as `claims` says, or turns back, as `refusal` says.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { readForm, readQuery, sendBack, sendJson, startStandInServer } from './stand-in-server.ts';

/** What the issuer is told to do; all of it may be changed at any time. */
export interface StandInScript {
  /** Of the ID token, beside and instead of the usual ones. */
  claims: Record<string, unknown>;
  /** Of the user info; none, and no such endpoint, while undefined. */
  userInfo: Record<string, unknown> | undefined;
  /** The `error` that browsers come back with. */
  refusal: string | undefined;
  /** Signs with a key that is not published. */
  foreignKey: boolean;
  /** In place of what the endpoint should answer. */
  answers: Partial<Record<'discovery' | 'token', StandInAnswer>>;
  /** Other members of the discovery document. */
  metadata: Record<string, unknown>;
  /** Takes the client's secret from the body alone, and takes no code for a try. */
  secretInBody: boolean;
  /** Further fields of the form, when answers are asked for by POST. */
  form: Record<string, string>;
}

export interface StandInAnswer {
  status: number;
  body: string;
  type?: string;
}

export interface OpenIdStandIn {
  issuer: string;
  script: StandInScript;
  /** What came to the token endpoint, oldest first. */
  exchanges: { body: URLSearchParams; authorization: string | undefined }[];
  /** How often its particulars were asked for. */
  discoveries(): number;
  close(): Promise<void>;
}

export async function startOpenIdStandIn(): Promise<OpenIdStandIn> {
  const script: StandInScript = {
    claims: {},
    userInfo: undefined,
    refusal: undefined,
    foreignKey: false,
    answers: {},
    metadata: {},
    secretInBody: false,
    form: {},
  };
  const exchanges: OpenIdStandIn['exchanges'] = [];
  /** By code: what the browser was sent with. */
  const begun = new Map<string, URLSearchParams>();
  const [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  let discoveries = 0;

  const { origin: issuer, close } = await startStandInServer({
    '/.well-known/openid-configuration': (_, response) => {
      discoveries += 1;
      if (!sendScripted(response, script.answers.discovery)) sendJson(response, describe(issuer, script));
    },
    '/keys': async (_, response) =>
      sendJson(response, { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256' }] }),
    '/me': (_, response) => sendJson(response, script.userInfo),
    '/authorize': (request, response) => {
      const asked = readQuery(request);
      const code = randomBytes(16).toString('base64url');
      begun.set(code, asked);
      const outcome = script.refusal ? { error: script.refusal } : { code };
      const said = { ...outcome, state: asked.get('state') ?? '' };
      if (asked.get('response_mode') === 'form_post') sendJson(response, { ...said, ...script.form });
      else sendBack(response, asked, said);
    },
    '/token': async (request, response) => {
      const body = await readForm(request);
      exchanges.push({ body, authorization: request.headers.authorization });
      if (sendScripted(response, script.answers.token)) return;
      if (script.secretInBody && !body.has('client_secret')) {
        return sendJson(response, { error: 'invalid_client' }, 401);
      }
      const asked = begun.get(body.get('code') ?? '');
      begun.delete(body.get('code') ?? '');
      if (!asked) return sendJson(response, { error: 'invalid_grant' }, 400);
      const { privateKey } = script.foreignKey ? foreign : own;
      const token = await signToken(privateKey, { issuer, asked, claims: script.claims as JWTPayload });
      sendJson(response, { access_token: 'opaque', token_type: 'Bearer', id_token: token });
    },
  });
  return { issuer, script, exchanges, discoveries: () => discoveries, close };
}

function describe(issuer: string, { userInfo, metadata }: StandInScript): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['ES256'],
    ...(userInfo && { userinfo_endpoint: `${issuer}/me` }),
    ...metadata,
  };
}

function signToken(
  key: CryptoKey,
  { issuer, asked, claims }: { issuer: string; asked: URLSearchParams; claims: JWTPayload },
): Promise<string> {
  return new SignJWT({ sub: 'person', nonce: asked.get('nonce'), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'own' })
    .setIssuer(claims.iss ?? issuer)
    .setAudience(claims.aud ?? asked.get('client_id') ?? '')
    .setIssuedAt()
    .setExpirationTime(claims.exp ?? '5m')
    .sign(key);
}

/** Answers as the script has it; false when it has nothing to say of this. */
function sendScripted(response: ServerResponse, answer: StandInAnswer | undefined): boolean {
  if (!answer) return false;
  response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body);
  return true;
}
