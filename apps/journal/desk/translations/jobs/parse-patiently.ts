import { AppError, backOffMs, retry } from '@fabrica/backend';
import type { ParseMarkdown } from '../../../project/markdown/parse-tree.ts';

/** A text is tried so often while others wait to be parsed: for half a minute. */
const ATTEMPTS = 6;

/** Returns a function that parses as the given one does, and waits while too many texts wait: a job has time. */
export function parsePatiently(
  parse: ParseMarkdown,
  { firstPauseMs, signal }: { firstPauseMs: number; signal: AbortSignal },
): ParseMarkdown {
  return (text, options) =>
    retry(() => parse(text, options), {
      pauseAfter: (error, attempt) => {
        const isFull = error instanceof AppError && error.code === 'RATE_LIMITED';
        return isFull && attempt < ATTEMPTS ? backOffMs(attempt, { firstMs: firstPauseMs }) : undefined;
      },
      signal,
    });
}
