import { useEffect, useEffectEvent, useState } from 'react';

type LoadState<T> =
  | { status: 'loading'; data: T | undefined }
  | { status: 'ready'; data: T }
  | { status: 'failed'; data: undefined };

export type LoadedData<T> = LoadState<T> & {
  reload(): void;
  /** Changes the loaded data without loading it again. */
  update(change: (data: T) => T): void;
};

/**
 * Loads data in the browser when the component mounts and whenever `key` changes. Loads nothing while `key` is undefined.
 * The data of the last load stays until the next load ends, and the result of an outdated load is ignored.
 */
export function useLoadedData<T>(key: string | undefined, load: () => Promise<T>): LoadedData<T> {
  const [state, setState] = useState<LoadState<T>>({ status: 'loading', data: undefined });
  const [attempt, setAttempt] = useState(0);
  const loadLatest = useEffectEvent(load);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the same data again
  useEffect(() => {
    if (key === undefined) return;
    let isCurrent = true;
    setState(({ data }) => ({ status: 'loading', data }));
    loadLatest().then(
      (data) => {
        if (isCurrent) setState({ status: 'ready', data });
      },
      (error: unknown) => {
        reportError(error);
        if (isCurrent) setState({ status: 'failed', data: undefined });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);

  return {
    ...state,
    reload: () => setAttempt((count) => count + 1),
    update: (change) =>
      setState((shown) => (shown.status === 'ready' ? { ...shown, data: change(shown.data) } : shown)),
  };
}
