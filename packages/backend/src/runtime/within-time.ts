/*
 * The timers here keep the process alive: Node ends one that waits for nothing else, in the middle of an `await` and without a word.
 */

/** Resolves with the result of the work, or with `undefined` when it takes longer. It goes on then, and its result is ignored. */
export async function settledWithin<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, timeoutMs, undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Like `settledWithin`, and throws an Error with this message when the work takes longer. */
export async function withinTime<T>(timeoutMs: number, work: Promise<T>, message: string): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), timeoutMs);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
