import type { Database } from '../../../database/port.ts';
import type { PlainResponse } from '../../../http/plain-exchange.ts';
import { whenReady } from '../../../runtime/when-ready.ts';

/** Of all that is kept, the keys with it and before anything is compressed. */
const MAX_BYTES = 8_000_000;
/** An answer that would push out all the others is kept for nobody. */
const MAX_ANSWER_BYTES = MAX_BYTES / 4;
const LONGEST_KEY = 2_000;
const KEYS_REMEMBERED = 500;

type Read = () => PlainResponse | Promise<PlainResponse>;

/** Keeps answers that were asked for more than once, until the next commit. */
export interface ResponseCache {
  /**
   * The answer under this key, read anew unless nothing was committed since it was read last. The key holds all that
   * the answer depends on: above all who is calling.
   */
  answer(key: string, read: Read): PlainResponse | Promise<PlainResponse>;
}

export function createResponseCache(database: Pick<Database, 'version'>): ResponseCache {
  const answers = new Map<string, { answer: PlainResponse; bytes: number }>();
  const isAskedAgain = createMemoryOfKeys();
  let keptVersion: number | undefined;
  let bytes = 0;

  function drop(key: string): void {
    bytes -= answers.get(key)?.bytes ?? 0;
    answers.delete(key);
  }

  /** Answers it in the form in which it is kept: what is made of a kept answer is made once. */
  function keep(key: string, answer: PlainResponse): PlainResponse {
    if (answer.body.length > MAX_ANSWER_BYTES) return answer;
    const kept = { ...answer, body: Buffer.from(answer.body) };
    const size = key.length + kept.body.byteLength;
    drop(key);
    for (const oldest of answers.keys()) {
      if (bytes + size <= MAX_BYTES) break;
      drop(oldest);
    }
    answers.set(key, { answer: kept, bytes: size });
    bytes += size;
    return kept;
  }

  return {
    answer(key, read) {
      const version = database.version();
      if (version === undefined || key.length > LONGEST_KEY) return read();
      if (version !== keptVersion) {
        answers.clear();
        bytes = 0;
        keptVersion = version;
      }
      const known = answers.get(key);
      if (known) return known.answer;
      const again = isAskedAgain(key);
      // A commit may come in between: what was read is then kept for nobody.
      return whenReady(read(), (answer) => (again && keptVersion === version ? keep(key, answer) : answer));
    },
  };
}

/** Most of what is asked for once is never asked for again: whoever keeps it pushes out what is. */
function createMemoryOfKeys(): (key: string) => boolean {
  let recent = new Set<string>();
  let earlier = new Set<string>();
  return (key) => {
    if (recent.has(key)) return true;
    if (recent.size >= KEYS_REMEMBERED) {
      earlier = recent;
      recent = new Set();
    }
    recent.add(key);
    return earlier.has(key);
  };
}
