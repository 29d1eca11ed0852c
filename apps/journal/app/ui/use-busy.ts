import { useRef, useState } from 'react';

interface Busy<Name extends string> {
  /** The name of the action that is under way. */
  busy: Name | undefined;
  /**
   * Runs an action, unless one is under way: pressing twice does not act twice. Resolves with what the action returns, or with
   * `undefined` when it fails or is not run; never rejects.
   */
  run<Result>(name: Name, act: () => Promise<Result>): Promise<Result | undefined>;
}

/** Does one thing at a time for the buttons of a component. `onFailure` is called with what an action throws. */
export function useBusy<Name extends string>(onFailure: (error: unknown) => void): Busy<Name> {
  const [busy, setBusy] = useState<Name>();
  const isRunning = useRef(false);
  return {
    busy,
    async run(name, act) {
      if (isRunning.current) return undefined;
      isRunning.current = true;
      setBusy(name);
      try {
        return await act();
      } catch (error) {
        onFailure(error);
        return undefined;
      } finally {
        isRunning.current = false;
        setBusy(undefined);
      }
    },
  };
}
