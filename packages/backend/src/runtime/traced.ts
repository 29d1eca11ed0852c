import { channel } from 'node:diagnostics_channel';

/** A piece of work within a request, which another part of the process may time. */
export interface TracedWork {
  part: 'database' | 'render' | 'model' | 'storage';
  /** A verb: never what a person has sent. */
  name: string;
  /** Is set by whoever times it, and called at its end, with the error that it failed with. */
  end?: (error?: unknown) => void;
}

/** Carries each piece of work at its beginning. Nothing listens unless the settings name a collector of traces. */
export const tracedWork = channel('fabrica:work');

/** Runs work that traces tell of, as a part of the work or request that it is done for. */
export function traced<T>(part: TracedWork['part'], name: string, work: () => T): T {
  if (!tracedWork.hasSubscribers) return work();
  const message: TracedWork = { part, name };
  try {
    const result = tracedWork.runStores(message, work);
    if (!(result instanceof Promise)) message.end?.();
    else
      result.then(
        () => message.end?.(),
        (error) => message.end?.(error),
      );
    return result;
  } catch (error) {
    message.end?.(error);
    throw error;
  }
}

/** Begins such work, and returns the function that ends it: for work that is no function. */
export function beginTraced(part: TracedWork['part'], name: string): () => void {
  const message: TracedWork = { part, name };
  tracedWork.publish(message);
  return () => message.end?.();
}
