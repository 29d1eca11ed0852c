import { AuthError } from '@fabrica/client';
import { createContext, use, useState } from 'react';

/** Wrappers for the API calls of the sections. They let the page know how a call ended the session. */
export interface AccountCalls {
  /** Runs a call. A session that expires in it leaves the page open, with all input. */
  track<T>(call: () => Promise<T>): Promise<T>;
  /** Runs a call that ends the session on purpose. The page then redirects to the gallery. */
  trackSignOut(call: () => Promise<unknown>): Promise<void>;
}

export interface AccountSession {
  calls: AccountCalls;
  /** Whether a call is running. */
  busy: boolean;
  /** Whether a call failed because the session had expired. */
  expired: boolean;
  /** Whether a call ended the session on purpose. */
  signedOut: boolean;
  /** Tells how often the owner signed in again. */
  signIns: number;
  /** Continues after the owner has signed in again. */
  resume(): void;
}

export const AccountCallsContext = createContext<AccountCalls | null>(null);

export function useAccountCalls(): AccountCalls {
  const calls = use(AccountCallsContext);
  if (!calls) throw new Error('useAccountCalls needs an AccountCallsContext above it.');
  return calls;
}

/** Follows the API calls of the page and the end of the session in them. */
export function useAccountSession(): AccountSession {
  const [running, setRunning] = useState(0);
  const [expired, setExpired] = useState(false);
  const [signedOut, setSignedOut] = useState(false);
  const [signIns, setSignIns] = useState(0);

  async function track<T>(call: () => Promise<T>): Promise<T> {
    setRunning((count) => count + 1);
    try {
      return await call();
    } catch (error) {
      if (isSessionEnd(error)) setExpired(true);
      throw error;
    } finally {
      setRunning((count) => count - 1);
    }
  }
  const trackSignOut = (call: () => Promise<unknown>) =>
    track(async () => {
      await call();
      setSignedOut(true);
    });

  const resume = () => {
    setExpired(false);
    setSignIns((count) => count + 1);
  };

  return { calls: { track, trackSignOut }, busy: running > 0, expired, signedOut, signIns, resume };
}

function isSessionEnd(error: unknown): boolean {
  return error instanceof AuthError && (error.code === 'TOKEN_EXPIRED' || error.code === 'UNAUTHENTICATED');
}
