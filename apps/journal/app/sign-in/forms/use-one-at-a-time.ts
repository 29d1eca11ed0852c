import { useRef, useState } from 'react';

export interface OneAtATime<Name extends string> {
  /** The name of the call that is under way. */
  busy: Name | undefined;
  /** Makes the call, unless another one is under way; rejects with what the call throws. */
  run(name: Name, call: () => Promise<void>): Promise<void>;
}

/** Lets the buttons of a page make one call at a time, so that pressing twice does not send twice. */
export function useOneAtATime<Name extends string>(): OneAtATime<Name> {
  const [busy, setBusy] = useState<Name>();
  const isRunning = useRef(false);
  const run = async (name: Name, call: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(name);
    try {
      await call();
    } finally {
      isRunning.current = false;
      setBusy(undefined);
    }
  };
  return { busy, run };
}
