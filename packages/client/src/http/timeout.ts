export interface TimeoutOptions {
  ms: number;
  /** Ends the wait early, with its reason. */
  signal?: AbortSignal | undefined;
  /** What is thrown when the time is up. */
  error: () => Error;
}

/** Runs `work` for `ms` at most; its signal is aborted when the time is up or the caller's own signal is. */
export function withTimeout<T>(work: (signal: AbortSignal) => Promise<T>, limit: TimeoutOptions): Promise<T> {
  return withIdleTimeout((signal) => work(signal), limit);
}

/** As `withTimeLimit`, for work that goes on: the time is up when `isHeard` was not called for `ms`. */
export function withIdleTimeout<T>(
  work: (signal: AbortSignal, isHeard: () => void) => Promise<T>,
  { ms, signal, error }: TimeoutOptions,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
      release();
    };
    const forward = () => stop(signal?.reason);
    const wait = () => setTimeout(() => stop(error()), ms);
    let timer = wait();
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', forward);
    };
    const isHeard = () => {
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = wait();
    };
    signal?.addEventListener('abort', forward);
    work(controller.signal, isHeard).then(resolve, reject).finally(release);
  });
}
