import { AppError, PacedQueue } from '@fabrica/backend';
import type { JobContext } from '../../desk-context.ts';
import { changeRecords } from '../change-records.ts';
import { translationReader } from './record-rows.ts';

/**
 * Has the guard examine anew what an earlier one has examined: one post after the other, in a tenth of the time. Each is noted when it
 * is done, so that the next start goes on with the others. Whoever opens a post before has it examined then.
 */
export class PostExamination {
  readonly #desk: JobContext;
  /** The posts after each of which the next one is looked for. */
  readonly #queue: PacedQueue;

  constructor(desk: JobContext) {
    this.#desk = desk;
    this.#queue = new PacedQueue({
      take: (id) => this.#examineAfter(id),
      onError: (err) => desk.log.error({ err }, 'Translations could not be examined anew'),
    });
    this.#queue.add('');
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #examineAfter(id: string): Promise<void> {
    const desk = this.#desk;
    const next = await translationReader(desk.project.database)
      .selectFrom('post_segments')
      .select('id')
      .where('examined', 'is', null)
      .where('id', '>', id)
      .orderBy('id')
      .executeTakeFirst();
    if (!next) return;
    await changeRecords(desk, next.id, () => ({ result: () => undefined })).catch((err) => {
      // It may be gone, or too complex to be read: what the desk does with it then examines it first.
      if (!(err instanceof AppError)) throw err;
      desk.log.warn({ err, post: next.id }, 'Translations could not be examined anew');
    });
    this.#queue.add(next.id);
  }
}
