/** Reports an error that no caller can catch, as the browser reports an uncaught one. */
export function reportUncaught(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else
    queueMicrotask(() => {
      throw error;
    });
}

/** Calls a listener. An error that it throws is reported and does not reach the other listeners. */
export function callListener(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportUncaught(error);
  }
}
