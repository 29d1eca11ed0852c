/**
 * Returns a promise that React's `use` reads at once when it is fulfilled already, by the marks that React itself makes. Without
 * them, `use` suspends with its first look, and React shows what was suspended a third of a second later.
 */
export function readablePromise<T>(promise: Promise<T>): Promise<T> {
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    () => undefined,
  );
  return promise;
}
