import type { TextEvent } from '@fabrica/contract';
import type { AppError } from '../../../core/errors.ts';
import type { Finish } from '../calls/language-model.ts';
import { markSilence } from '../calls/mark-silence.ts';

/** The id of the only text of a stream. */
const ID = 'text-1';
const NO_FINISH: Finish = {
  finishReason: 'error',
  usage: { inputTokens: null, outputTokens: null, totalTokens: null },
};

interface TextEventOptions {
  /** Milliseconds without a piece after which a comment tells the reader that the text is still to come. */
  keepAlive: number;
  /** Pieces of the text; empty ones are not sent. */
  pieces: AsyncGenerator<string, Finish, undefined>;
  /**
   * Whether to add the lines that clients of the contract up to 0.18 read: `0:` for a piece, `d:` for the end, `e:` for
   * an error. Readers of server-sent events ignore lines with such names, as the standard says.
   */
  forOldClients: boolean;
  /** Called when the text is complete. */
  onEnd(): void;
  /** Called with the error that ended a stream. Returns the error that the reader may see. */
  onFailure(error: unknown): AppError;
}

/**
 * Yields a text as server-sent events. A failure before anything is sent is thrown. A later one is sent as `finish` with
 * the reason `error`, which is all that clients of the contract keep of it, and as `error`.
 */
export async function* textEvents(options: TextEventOptions): AsyncGenerator<string, void, undefined> {
  const { keepAlive, forOldClients, onEnd, onFailure } = options;
  const pieces = markSilence(options.pieces, keepAlive);
  const legacyLine = (line: string, value: unknown) =>
    forOldClients ? `${line}:${JSON.stringify(value)}\n\n` : '';
  const delta = (piece: string) =>
    piece && event({ type: 'text-delta', id: ID, delta: piece }) + legacyLine('0', piece);
  const finish = ({ finishReason, usage }: Finish) =>
    event({ type: 'finish', finishReason, usage }) + legacyLine('d', { finishReason, usage });

  let next = await pieces.next();
  try {
    yield event({ type: 'start' }) + event({ type: 'text-start', id: ID });
    while (!next.done) {
      const sent = next.value === undefined ? SILENCE : delta(next.value);
      if (sent) yield sent;
      next = await pieces.next();
    }
    onEnd();
    yield event({ type: 'text-end', id: ID }) + finish(next.value) + DONE;
  } catch (error) {
    const { message, code } = onFailure(error);
    yield finish(NO_FINISH) +
      event({ type: 'error', error: message, code }) +
      legacyLine('e', { error: message, code }) +
      DONE;
  } finally {
    await pieces.return(NO_FINISH);
  }
}

/** A comment, which every reader of server-sent events ignores. */
const SILENCE = ': the model is at work\n\n';

const DONE = 'data: [DONE]\n\n';

const event = (content: TextEvent) => `data: ${JSON.stringify(content)}\n\n`;
