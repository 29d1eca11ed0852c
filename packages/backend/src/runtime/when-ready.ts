/** Goes on with a value, at once where it is there already: what an engine knows without waiting is not waited for. */
export function whenReady<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
