export interface TimeLimit {
  ms: number;
  /** Ends the wait early, with its reason. */
  signal?: AbortSignal | undefined;
  /** What is thrown when the time is up. */
  error: () => Error;
}

/** Runs `work` for `ms` at most; its signal is aborted when the time is up or the caller's own signal is. */
export function withTimeLimit<T>(work: (signal: AbortSignal) => Promise<T>, limit: TimeLimit): Promise<T> {
  const { ms, signal, error } = limit;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
      release();
    };
    const forward = () => stop(signal?.reason);
    const timer = setTimeout(() => stop(error()), ms);
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', forward);
    };
    signal?.addEventListener('abort', forward);
    work(controller.signal).then(resolve, reject).finally(release);
  });
}
