import type { TextEvent } from '@fabrica/contract';
import type { AppError } from '../../../core/errors.ts';
import type { Ending } from '../calls/language-model.ts';

/** The one text of a stream. */
const ID = 'text-1';
const NOTHING: Ending = {
  finishReason: 'error',
  usage: { inputTokens: null, outputTokens: null, totalTokens: null },
};

export interface TextEventOptions {
  /** Pieces of the text; empty ones say nothing. */
  pieces: AsyncGenerator<string, Ending, undefined>;
  /**
   * Has what clients of the contract up to 0.18 read between the events, in lines of their own: `0:` a piece, `d:` the end, `e:`
   * an error. Whoever reads server-sent events passes over lines of such names, as their standard says.
   */
  forOlderClients: boolean;
  /** Is called when all of the text has come. */
  onEnd(): void;
  /** Is told what a stream broke at; answers what the reader is told. */
  onBreak(error: unknown): AppError;
}

/**
 * A text as server-sent events. A failure before the first piece is thrown; one behind it is told to the reader by
 * `finish` with the reason `error` (the only thing of it that clients of the contract keep) and `error`.
 */
export async function* textEvents(options: TextEventOptions): AsyncGenerator<string, void, undefined> {
  const { pieces, forOlderClients, onEnd, onBreak } = options;
  const older = (line: string, value: unknown) =>
    forOlderClients ? `${line}:${JSON.stringify(value)}\n\n` : '';
  const delta = (piece: string) =>
    piece && event({ type: 'text-delta', id: ID, delta: piece }) + older('0', piece);
  const finish = ({ finishReason, usage }: Ending) =>
    event({ type: 'finish', finishReason, usage }) + older('d', { finishReason, usage });

  let next = await pieces.next();
  try {
    yield event({ type: 'start' }) + event({ type: 'text-start', id: ID });
    while (!next.done) {
      const sent = delta(next.value);
      if (sent) yield sent;
      next = await pieces.next();
    }
    onEnd();
    yield event({ type: 'text-end', id: ID }) + finish(next.value) + DONE;
  } catch (error) {
    const { message, code } = onBreak(error);
    yield finish(NOTHING) +
      event({ type: 'error', error: message, code }) +
      older('e', { error: message, code }) +
      DONE;
  } finally {
    await pieces.return(NOTHING);
  }
}

const DONE = 'data: [DONE]\n\n';

const event = (content: TextEvent) => `data: ${JSON.stringify(content)}\n\n`;
