import type { PasskeyAssertion, PasskeyAttestation, PasskeyOptions } from '@fabrica/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useSyncExternalStore } from 'react';

/** Says why the browser returned no passkey: its owner canceled or had none, or the device has one of the account already. */
type PasskeyFailure = 'not-shown' | 'known';

export class PasskeyError extends Error {
  readonly reason: PasskeyFailure;

  constructor(reason: PasskeyFailure, cause: unknown) {
    super(`The browser returned no passkey: ${reason}.`, { cause });
    this.name = 'PasskeyError';
    this.reason = reason;
  }
}

/** Milliseconds for which a challenge is offered; the server takes it for ten minutes. */
const OFFERED_MS = 9 * 60_000;

/** Loads the library with the first passkey: few pages need it. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Has the browser make a passkey. Throws a PasskeyError. */
export async function createPasskey(options: PasskeyOptions): Promise<PasskeyAttestation> {
  const { startRegistration } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return toCredential(startRegistration({ optionsJSON }));
}

/** Has the browser ask for a passkey. Throws a PasskeyError. */
export async function getPasskey(options: PasskeyOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return toCredential(startAuthentication({ optionsJSON }));
}

/**
 * Has the browser offer passkeys among the entries for the e-mail field, where it can, until one is chosen or `signal` is
 * aborted. Resolves with the chosen one, or with undefined when there is none to come.
 */
export async function offerPasskeys(
  getOptions: () => Promise<PasskeyOptions>,
  signal: AbortSignal,
): Promise<PasskeyAssertion | undefined> {
  if (!(await canOffer())) return undefined;
  const { startAuthentication, WebAuthnAbortService } = await loadLibrary();
  while (!signal.aborted) {
    const optionsJSON = (await getOptions()) as unknown as PublicKeyCredentialRequestOptionsJSON;
    if (signal.aborted) return undefined;
    const end = () => WebAuthnAbortService.cancelCeremony();
    const renew = setTimeout(end, OFFERED_MS);
    signal.addEventListener('abort', end);
    const started = performance.now();
    try {
      return await toCredential(startAuthentication({ optionsJSON, useBrowserAutofill: true }));
    } catch {
      // Another passkey is being asked for, or the browser has given up. An old challenge is replaced by a new one.
      if (performance.now() - started < OFFERED_MS) return undefined;
    } finally {
      clearTimeout(renew);
      signal.removeEventListener('abort', end);
    }
  }
  return undefined;
}

async function canOffer(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function';
}

/** Returns whether this browser has passkeys on this site: it has none over plain HTTP. */
export function usePasskeySupport(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    hasPasskeys,
    () => true,
  );
}

async function toCredential<Credential>(ceremony: Promise<unknown>): Promise<Credential> {
  try {
    return (await ceremony) as Credential;
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    throw new PasskeyError(isKnown ? 'known' : 'not-shown', error);
  }
}
