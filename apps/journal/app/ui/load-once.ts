/**
 * Returns a function that loads each of these once: React's `use` needs the same promise in every render. What failed is loaded
 * again when it is asked for again.
 */
export function loadOnce<Key extends string, Value>(
  load: Readonly<Record<Key, () => Promise<Value>>>,
): (key: Key) => Promise<Value> {
  const requested = new Map<Key, Promise<Value>>();
  return (key) => {
    const earlier = requested.get(key);
    if (earlier) return earlier;
    const promise = readablePromise(load[key]());
    promise.catch(() => requested.delete(key));
    requested.set(key, promise);
    return promise;
  };
}

/**
 * Returns a promise that React's `use` reads at once when it is fulfilled already, by the marks that React itself makes. Without
 * them, `use` suspends with its first look, and React shows what was suspended a third of a second later.
 */
function readablePromise<T>(promise: Promise<T>): Promise<T> {
  promise.then(
    (value) => Object.assign(promise, { status: 'fulfilled', value }),
    () => undefined,
  );
  return promise;
}
