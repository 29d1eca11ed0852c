import type {
  AddedFactor,
  FactorInfo,
  FactorList,
  FactorProof,
  FreshProof,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyOptions,
  TotpSetUp,
  User,
} from '@fabrica/contract';
import { type HttpResponse, parseBody } from '../http/http.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import { acceptTokens } from './sign-in-client.ts';

/**
 * Says who adds a factor: the signed-in owner with a fresh proof, or a sign-in that was told to set one up, with its ticket.
 */
export type FactorAuthority = { proof: FreshProof } | { ticket: string };

/**
 * Signs in with passkeys, takes the second step of other sign-ins, and manages passkeys, authenticator app and recovery
 * codes. The page itself calls the Web Authentication API: options and credentials have its JSON forms.
 */
export interface FactorClient {
  /** Returns the options for `signInWithPasskey`. */
  passkeyOptions(): Promise<PasskeyOptions>;
  /** Signs in with a passkey alone. Throws SECOND_FACTOR_FAILED, … */
  signInWithPasskey(credential: PasskeyAssertion): Promise<User>;
  /** Returns the options for showing a passkey of the account whose sign-in has this ticket. */
  secondStepOptions(ticket: string): Promise<PasskeyOptions>;
  /** Ends a sign-in that threw SECOND_FACTOR_REQUIRED. Throws SECOND_FACTOR_FAILED, TOKEN_EXPIRED, RATE_LIMITED. */
  takeSecondStep(ticket: string, proof: FactorProof): Promise<User>;
  factors(): Promise<FactorList>;
  /** Begins to set up the authenticator app. */
  beginTotp(authority: FactorAuthority): Promise<TotpSetUp>;
  /** Adds the app, once it shows a code. With a ticket, this signs in. */
  addTotp(given: { ticket?: string | undefined; setUp: string; code: string }): Promise<AddedFactor>;
  /** Begins to add a passkey: returns the options for the browser. */
  beginPasskey(authority: FactorAuthority): Promise<PasskeyOptions>;
  /** Adds the passkey that the browser has made. With a ticket, this signs in. */
  addPasskey(given: { ticket?: string | undefined; credential: PasskeyAttestation }): Promise<AddedFactor>;
  renameFactor(id: string, name: string): Promise<FactorInfo>;
  removeFactor(id: string, proof: FreshProof): Promise<void>;
  /** Replaces the recovery codes. */
  makeRecoveryCodes(proof: FreshProof): Promise<string[]>;
  /** Returns the options for a passkey that serves as a proof. */
  proofOptions(): Promise<PasskeyOptions>;
}

export function createFactorClient(options: AuthClientOptions): FactorClient {
  const { session, send, projectId } = options;
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, json?: Record<string, unknown>) =>
    ({ service: 'auth', method, path: `/api/auth/${path}`, ...(json && { json }) }) as const;
  const optionsIn = (response: HttpResponse) =>
    parseBody<{ options: PasskeyOptions }>(response, 'options').options;

  /** A call with a ticket is made without a session; its response may open one. */
  async function begin(path: string, authority: FactorAuthority): Promise<HttpResponse> {
    const request = call('POST', path, { ...authority });
    return 'ticket' in authority ? send(request) : session.http.request(request);
  }
  async function add(path: string, json: { ticket?: string | undefined }): Promise<AddedFactor> {
    const request = call('POST', path, json);
    const response = json.ticket === undefined ? await session.http.request(request) : await send(request);
    if (json.ticket !== undefined) acceptTokens(options, response);
    const { factor, recoveryCodes } = parseBody<AddedFactor>(response, 'factor');
    return { factor, ...(recoveryCodes && { recoveryCodes }) };
  }

  return {
    async passkeyOptions() {
      const query = new URLSearchParams({ projectId });
      return optionsIn(await send({ ...call('GET', 'signin/passkey/options'), query }));
    },
    signInWithPasskey: async (credential) =>
      acceptTokens(options, await send(call('POST', 'signin/passkey', { projectId, credential }))),
    secondStepOptions: async (ticket) =>
      optionsIn(await send(call('POST', 'signin/second-step/options', { ticket }))),
    takeSecondStep: async (ticket, proof) =>
      acceptTokens(options, await send(call('POST', 'signin/second-step', { ticket, ...proof }))),
    factors: async () => parseBody<FactorList>(await session.http.request(call('GET', 'factors')), 'factors'),
    beginTotp: async (authority) =>
      parseBody<TotpSetUp>(await begin('factors/totp/begin', authority), 'setUp'),
    addTotp: (given) => add('factors/totp', given),
    beginPasskey: async (authority) => optionsIn(await begin('factors/passkeys/begin', authority)),
    addPasskey: (given) => add('factors/passkeys', given),
    async renameFactor(id, name) {
      const response = await session.http.request(
        call('PATCH', `factors/${encodeURIComponent(id)}`, { name }),
      );
      return parseBody<{ factor: FactorInfo }>(response, 'factor').factor;
    },
    async removeFactor(id, proof) {
      await session.http.request(call('DELETE', `factors/${encodeURIComponent(id)}`, { proof }));
    },
    async makeRecoveryCodes(proof) {
      const response = await session.http.request(call('POST', 'factors/recovery-codes', { proof }));
      return parseBody<{ recoveryCodes: string[] }>(response, 'recoveryCodes').recoveryCodes;
    },
    proofOptions: async () => optionsIn(await session.http.request(call('POST', 'factors/proof-options'))),
  };
}
