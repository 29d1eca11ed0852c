import { useState } from 'react';
import { showFailure } from './notices.tsx';

export interface Attempts {
  isBusy: boolean;
  /** The name of the action that is under way. */
  doing: string | undefined;
  /** Runs an action, and tells of its failure in a notice. */
  attempt(act: () => Promise<unknown>, name?: string): Promise<void>;
}

/** Runs actions of a component that may fail. */
export function useAttempt(): Attempts {
  const [doing, setDoing] = useState<string>();
  const attempt: Attempts['attempt'] = async (act, name = 'action') => {
    setDoing(name);
    try {
      await act();
    } catch (error) {
      showFailure(error);
    } finally {
      setDoing(undefined);
    }
  };
  return { isBusy: doing !== undefined, doing, attempt };
}
