import { AppError } from '@fabrica/backend';
import type { JobContext } from '../../desk-context.ts';
import { type MachineText, recordMachineTexts } from '../records/machine-texts.ts';
import type { IdentifiedSegment } from '../records/post-records.ts';
import type { JobRow } from './job-rows.ts';
import type { WantedSegment } from './plan-batches.ts';

interface JobOutputOptions {
  desk: JobContext;
  job: Pick<JobRow, 'post_id' | 'user_id'>;
  signal: AbortSignal;
  /** Is called with the number of words that have just been written. */
  onWritten(words: number): Promise<void>;
}

type OutputText = MachineText & { words: number };

/** Writes texts while the model goes on. What comes during a write is written together after it. */
export class JobOutput {
  readonly #options: JobOutputOptions;
  readonly #segments: readonly IdentifiedSegment[];
  #waiting: OutputText[] = [];
  #writing: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;
  #hasHeld = false;

  constructor(options: JobOutputOptions, segments: readonly IdentifiedSegment[]) {
    this.#options = options;
    this.#segments = segments;
  }

  /** Takes the text of a segment, and of others with the same words; null takes it back. Throws what an earlier write has thrown. */
  add(
    { ids, position, text: source }: WantedSegment,
    { language, text, writer }: Pick<MachineText, 'language' | 'text' | 'writer'>,
  ): void {
    if (this.#failure) throw this.#failure.error;
    const hash = this.#segments[position]?.hash ?? '';
    const words = text === null ? -countWords(source) : countWords(source);
    this.#waiting.push(...ids.map((segmentId) => ({ segmentId, hash, language, text, writer, words })));
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when all that was added is written. Throws what a write has thrown. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing;
    if (this.#failure) throw this.#failure.error;
  }

  /** Whether a text was left out, because the text that it would be a part of is too complex to be read with it. */
  get hasHeld(): boolean {
    return this.#hasHeld;
  }

  async #write(): Promise<void> {
    const { signal, onWritten } = this.#options;
    try {
      while (this.#waiting.length > 0 && !signal.aborted) {
        const texts = this.#waiting;
        this.#waiting = [];
        await onWritten(await this.#record(texts));
      }
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** Writes texts, each by itself where they cannot be written together. Returns the number of their words. */
  async #record(texts: readonly OutputText[]): Promise<number> {
    const { desk, job } = this.#options;
    try {
      await recordMachineTexts(desk, { postId: job.post_id, userId: job.user_id }, texts);
      return texts.reduce((sum, { words }) => sum + words, 0);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'VALIDATION_FAILED')) throw error;
      this.#hasHeld ||= texts.length === 1;
      if (texts.length === 1) return 0;
      const half = Math.ceil(texts.length / 2);
      return (await this.#record(texts.slice(0, half))) + (await this.#record(texts.slice(half)));
    }
  }
}

export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
