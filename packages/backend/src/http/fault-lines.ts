import { LRUCache } from 'lru-cache';
import { isFaultCode } from '../core/errors.ts';

/** Milliseconds in which a known fault is written once. */
const PAUSE_MS = 1_000;
const MAX_KINDS = 200;
const DEEPEST = 5;

/** What the log says of a known fault: no stack, for the fault is not in this program. */
interface KnownFault {
  code: string;
  message: string;
  /** The messages of what has caused it, down to the first cause. */
  cause?: string;
}

/** Returns what the log says of an error whose code names the fault, a client's too; undefined for any other error. */
export function knownFault(error: unknown): KnownFault | undefined {
  if (!(error instanceof Error) || !('code' in error) || !isFaultCode(error.code)) return undefined;
  const causes = causesOf(error.cause).map(({ message }) => message);
  return {
    code: error.code,
    message: error.message,
    ...(causes.length > 0 && { cause: causes.join(' ← ') }),
  };
}

/** Lets one line a second through of each known fault, with the same text. */
export class FaultLines {
  readonly #kinds = new LRUCache<string, { writtenAt: number; left: number }>({ max: MAX_KINDS });

  /** Returns how many lines of this kind were left out since the last one; undefined when this one is left out as well. */
  take(error: Error, text = ''): number | undefined {
    const kind = `${text} ${kindOf(error)}`;
    const now = Date.now();
    const last = this.#kinds.get(kind);
    if (last && now - last.writtenAt < PAUSE_MS) {
      last.left += 1;
      return undefined;
    }
    this.#kinds.set(kind, { writtenAt: now, left: 0 });
    return last?.left ?? 0;
  }
}

/** Returns the codes of an error and its causes: messages may name what one request was about. */
function kindOf(error: Error): string {
  return [error, ...causesOf(error.cause)].map((one) => ('code' in one && one.code) || one.name).join(' ');
}

function causesOf(cause: unknown, depth = DEEPEST): Error[] {
  return cause instanceof Error && depth > 0 ? [cause, ...causesOf(cause.cause, depth - 1)] : [];
}
