/**
 * A stand-in for an OpenID Connect issuer, for what a real one cannot be made to send: vendors' own claims,
 * false tokens, malformed responses. Its page signs in at once with `claims`, or cancels while `error` is
 * set.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { readForm, readQuery, sendBack, sendJson, startStandInServer } from './stand-in-server.ts';

/** The issuer's behaviour; all of it may be changed at any time. */
interface StandInScript {
  /** Claims of the ID token, beside and instead of the usual ones. */
  claims: Record<string, unknown>;
  /** The user info; without it there is no such endpoint. */
  userInfo: Record<string, unknown> | undefined;
  /** The `error` that browsers come back with. */
  error: string | undefined;
  /** Signs with a key that is not published. */
  foreignKey: boolean;
  /** Responses that replace the endpoint's own. */
  responses: Partial<Record<'discovery' | 'token', StandInResponse>>;
  /** Further fields of the discovery document. */
  metadata: Record<string, unknown>;
  /** Accepts the client's secret in the body only, and does not spend a code on a failed try. */
  secretInBody: boolean;
  /** Further fields of the form, when the response is requested by POST. */
  form: Record<string, string>;
}

interface StandInResponse {
  status: number;
  body: string;
  type?: string;
}

export interface OpenIdStandIn {
  issuer: string;
  script: StandInScript;
  /** The requests to the token endpoint, oldest first. */
  exchanges: { body: URLSearchParams; authorization: string | undefined }[];
  /** Returns how often the discovery document was fetched. */
  discoveries(): number;
  close(): Promise<void>;
}

export async function startOpenIdStandIn(): Promise<OpenIdStandIn> {
  const script: StandInScript = {
    claims: {},
    userInfo: undefined,
    error: undefined,
    foreignKey: false,
    responses: {},
    metadata: {},
    secretInBody: false,
    form: {},
  };
  const exchanges: OpenIdStandIn['exchanges'] = [];
  /** The query that the browser was sent with, by code. */
  const begun = new Map<string, URLSearchParams>();
  const [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  let discoveries = 0;

  const { origin: issuer, close } = await startStandInServer({
    '/.well-known/openid-configuration': (_, response) => {
      discoveries += 1;
      if (!sendScripted(response, script.responses.discovery)) sendJson(response, describe(issuer, script));
    },
    '/keys': async (_, response) =>
      sendJson(response, { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256' }] }),
    '/me': (_, response) => sendJson(response, script.userInfo),
    '/authorize': (request, response) => {
      const query = readQuery(request);
      const code = randomBytes(16).toString('base64url');
      begun.set(code, query);
      const outcome = script.error ? { error: script.error } : { code };
      const parameters = { ...outcome, state: query.get('state') ?? '' };
      if (query.get('response_mode') === 'form_post') sendJson(response, { ...parameters, ...script.form });
      else sendBack(response, query, parameters);
    },
    '/token': async (request, response) => {
      const body = await readForm(request);
      exchanges.push({ body, authorization: request.headers.authorization });
      if (sendScripted(response, script.responses.token)) return;
      if (script.secretInBody && !body.has('client_secret')) {
        return sendJson(response, { error: 'invalid_client' }, 401);
      }
      const query = begun.get(body.get('code') ?? '');
      begun.delete(body.get('code') ?? '');
      if (!query) return sendJson(response, { error: 'invalid_grant' }, 400);
      const { privateKey } = script.foreignKey ? foreign : own;
      const token = await signToken(privateKey, { issuer, query, claims: script.claims as JWTPayload });
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
  { issuer, query, claims }: { issuer: string; query: URLSearchParams; claims: JWTPayload },
): Promise<string> {
  return new SignJWT({ sub: 'person', nonce: query.get('nonce'), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'own' })
    .setIssuer(claims.iss ?? issuer)
    .setAudience(claims.aud ?? query.get('client_id') ?? '')
    .setIssuedAt()
    .setExpirationTime(claims.exp ?? '5m')
    .sign(key);
}

/** Sends the scripted response. Returns false when there is none. */
function sendScripted(response: ServerResponse, scripted: StandInResponse | undefined): boolean {
  if (!scripted) return false;
  response
    .writeHead(scripted.status, { 'content-type': scripted.type ?? 'application/json' })
    .end(scripted.body);
  return true;
}
