import { AuthError } from '@fabrica/client';
import { createContext, use, useState } from 'react';

/** What the sections of the page do at the server, as far as it decides whether the page may stay. */
export interface AccountCalls {
  /** Follows a call: a session that ends in it does not take the page away, nor what was typed. */
  track<T>(call: () => Promise<T>): Promise<T>;
  /** Follows a call that ends the session on purpose; once it is done, the page leads to the gallery. */
  leave(call: () => Promise<unknown>): Promise<void>;
}

export interface AccountStay {
  calls: AccountCalls;
  /** A call is under way. */
  busy: boolean;
  /** A call found the session at its end. */
  stranded: boolean;
  left: boolean;
  /** How often somebody signed in again. */
  returns: number;
  /** Somebody is signed in again. */
  goOn(): void;
}

export const AccountCallsContext = createContext<AccountCalls | null>(null);

export function useAccountCalls(): AccountCalls {
  const calls = use(AccountCallsContext);
  if (!calls) throw new Error('useAccountCalls needs an AccountCallsContext above it.');
  return calls;
}

/** Keeps count of what is under way on the page, and of how it left the session. */
export function useAccountStay(): AccountStay {
  const [underWay, setUnderWay] = useState(0);
  const [stranded, setStranded] = useState(false);
  const [left, setLeft] = useState(false);
  const [returns, setReturns] = useState(0);

  async function track<T>(call: () => Promise<T>): Promise<T> {
    setUnderWay((count) => count + 1);
    try {
      return await call();
    } catch (error) {
      if (isSessionEnd(error)) setStranded(true);
      throw error;
    } finally {
      setUnderWay((count) => count - 1);
    }
  }
  const leave = (call: () => Promise<unknown>) =>
    track(async () => {
      await call();
      setLeft(true);
    });

  const goOn = () => {
    setStranded(false);
    setReturns((count) => count + 1);
  };

  return { calls: { track, leave }, busy: underWay > 0, stranded, left, returns, goOn };
}

function isSessionEnd(error: unknown): boolean {
  return error instanceof AuthError && (error.code === 'TOKEN_EXPIRED' || error.code === 'UNAUTHENTICATED');
}
