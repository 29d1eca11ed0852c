/** Tells of an error that nobody is there to catch as the page tells of any other; it stops nothing here. */
export function reportUncaught(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else
    queueMicrotask(() => {
      throw error;
    });
}

/** Calls what others wrote: what it throws is told of, and breaks nobody else. */
export function callListener(act: () => void): void {
  try {
    act();
  } catch (error) {
    reportUncaught(error);
  }
}
