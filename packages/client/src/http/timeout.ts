interface TimeoutOptions {
  ms: number;
  /** Ends the wait early, with its reason. */
  signal?: AbortSignal | undefined;
  /** Creates the error that is thrown after the timeout. */
  error: () => Error;
}

/** Runs `work` for `ms` at most. Its signal is aborted after the timeout, or when the caller's signal is aborted. */
export function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: TimeoutOptions,
): Promise<T> {
  return withIdleTimeout((signal) => work(signal), options);
}

/** Does the same as `withTimeout`, but each call of `onActivity` starts the `ms` anew. */
export function withIdleTimeout<T>(
  work: (signal: AbortSignal, onActivity: () => void) => Promise<T>,
  { ms, signal, error }: TimeoutOptions,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const abort = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
      cleanUp();
    };
    const forwardAbort = () => abort(signal?.reason);
    const startTimer = () => setTimeout(() => abort(error()), ms);
    let timer = startTimer();
    const cleanUp = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', forwardAbort);
    };
    const onActivity = () => {
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = startTimer();
    };
    signal?.addEventListener('abort', forwardAbort);
    work(controller.signal, onActivity).then(resolve, reject).finally(cleanUp);
  });
}
