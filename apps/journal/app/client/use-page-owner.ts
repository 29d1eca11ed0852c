import type { User } from '@fabrica/contract';
import { createContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFetchers, useNavigate } from 'react-router';
import { useAuth } from './client-context.tsx';

/** Is called when a form of the page has found that the session has ended. */
export const SessionEndContext = createContext<() => void>(() => {});

/** How many forms are being sent: React may learn of one after it has ended the session. */
let sending = 0;

/** Has the page stay while a form of it is sent, whose result says where its owner goes. */
export async function whileSending<T>(result: Promise<T>): Promise<T> {
  sending += 1;
  try {
    return await result;
  } finally {
    sending -= 1;
  }
}

interface PageOwner {
  /** Whose page it is: the one who is signed in, or whose session has ended while a form was sent. */
  owner: User | null;
  /** Whether the session has ended while a form was sent. The page stays, with all that is typed, for signing in again. */
  hasEnded: boolean;
  /** How often the owner has signed in again. */
  signIns: number;
  /** The value of `SessionEndContext` for the forms of the page. */
  onSessionEnd(): void;
}

/** Follows who is signed in on a page with forms. An owner who signs out, here or in another tab, is redirected. */
export function usePageOwner(signedOutPath: string): PageOwner {
  const { user } = useAuth();
  const navigate = useNavigate();
  const isSending = useFetchers().some(({ state }) => state !== 'idle');
  const [owner, setOwner] = useState(user);
  const [hasEnded, setHasEnded] = useState(false);
  const [signIns, setSignIns] = useState(0);
  const stays = useRef(false);
  if (user && user !== owner) setOwner(user);
  if (user && hasEnded) {
    setHasEnded(false);
    setSignIns(signIns + 1);
  }
  /** Whether the session has ended while a form was sent that `useFetchers` does not know yet. */
  const isUnseen = useRef(false);
  useLayoutEffect(() => {
    isUnseen.current = !user && sending > 0;
  }, [user]);
  useEffect(() => {
    if (isSending) isUnseen.current = false;
    if (user) stays.current = false;
    // The form has told before this effect how it ended.
    else if (owner && !isSending && !isUnseen.current && !stays.current)
      void navigate(signedOutPath, { replace: true });
  }, [user, owner, isSending, navigate, signedOutPath]);
  return {
    owner: user ?? owner,
    hasEnded: hasEnded && !user,
    signIns,
    onSessionEnd() {
      stays.current = true;
      setHasEnded(true);
    },
  };
}
