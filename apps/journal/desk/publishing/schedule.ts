import { AppError, allOf, equals, Poller } from '@fabrica/backend';
import { presentAccess } from '../access.ts';
import type { DeskContext } from '../desk-context.ts';
import { type DraftRow, deskReader } from '../queries.ts';
import { inVersion, type OpenPost, readPost, takenOff } from '../working-copy.ts';
import { deleteExpired } from './expiry.ts';
import { changedElsewhere, missingFields, writePublication } from './publish-post.ts';

/** Longest pause between two looks, in milliseconds. */
const POLL_MS = 30_000;
const HOUR_MS = 60 * 60_000;

/** Attempts of one look at a post that others change all the time. */
const MAX_ATTEMPTS = 10;

/** Publishes posts when they are due, those of a downtime too, and deletes what has expired. */
export class Schedule {
  readonly #desk: DeskContext;
  readonly #poller: Poller;
  #cleanedAt = 0;

  constructor(desk: DeskContext) {
    this.#desk = desk;
    this.#poller = new Poller({
      name: 'publication-schedule',
      meter: desk.meter,
      errorPauseMs: POLL_MS,
      poll: () => this.#poll(),
      onError: (error) => desk.log.error({ err: error }, 'Scheduled posts could not be published'),
    });
    this.#poller.wake();
  }

  wake(): void {
    this.#poller.wake();
  }

  close(): Promise<void> {
    return this.#poller.close();
  }

  async #poll(): Promise<number> {
    const desk = this.#desk;
    const failed = new Set<string>();
    const attempts = new Map<string, number>();
    for (;;) {
      const due = await this.#nextDue([...failed]);
      if (this.#poller.isClosed || !due?.scheduled_at || due.scheduled_at > desk.now()) {
        await this.#cleanUp();
        const pause = due?.scheduled_at ? due.scheduled_at - desk.now() : POLL_MS;
        return Math.min(pause, POLL_MS);
      }
      const attempt = (attempts.get(due.id) ?? 0) + 1;
      attempts.set(due.id, attempt);
      if (attempt === MAX_ATTEMPTS) failed.add(due.id);
      try {
        await this.#publish(due.id);
      } catch (error) {
        // The other posts are not kept waiting; this one is tried again with the next look.
        failed.add(due.id);
        desk.log.error({ err: error, post: due.id }, 'A scheduled post could not be published');
      }
    }
  }

  #nextDue(except: readonly string[]): Promise<Pick<DraftRow, 'id' | 'scheduled_at'> | undefined> {
    return deskReader(this.#desk.project.database)
      .selectFrom('post_drafts')
      .select(['id', 'scheduled_at'])
      .where('state', '=', 'scheduled')
      .$if(except.length > 0, (query) => query.where('id', 'not in', [...except]))
      .orderBy('scheduled_at')
      .limit(1)
      .executeTakeFirst();
  }

  /**
   * Publishes a post once, however many nodes attempt it: only one of them finds the working copy scheduled and in this
   * version. A document that lacks something, that nobody has approved who may publish it at present, or whose post another program
   * has changed, waits for its author.
   */
  async #publish(id: string): Promise<void> {
    const desk = this.#desk;
    const read = await readPost(desk, id);
    const { draft } = read ?? {};
    if (!read || draft?.state !== 'scheduled' || (draft.scheduled_at ?? 0) > desk.now()) return;
    const { user_id: userId } = draft;
    const by = draft.updated_by ?? userId;
    const { byline } = read.document;
    const access = await presentAccess(desk.project.database, by, { userId, byline });
    const opened: OpenPost = { ...read, id, userId, version: draft.version, access };
    const request = {
      desk,
      caller: { kind: 'user', id: by, email: '', displayName: null, role: '' },
      postId: id,
    } as const;
    const faults = missingFields(opened.document);
    if (changedElsewhere(opened)) faults.push('elsewhere');
    if (!access.publish) faults.push('unapproved');
    if (faults.length > 0) return this.#giveBack(opened, faults);
    try {
      await writePublication(request, opened, {
        by,
        announcement: draft.announcement ? JSON.parse(draft.announcement) : {},
        where: (row) => allOf(inVersion(row), equals('state', 'scheduled')),
      });
      desk.log.info({ post: id }, 'A scheduled post was published');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Another node was faster, or the author has just changed it.
      if (error.code === 'STALE' || error.code === 'NOT_FOUND') return;
      if (error.code !== 'VALIDATION_FAILED') throw error;
      await this.#giveBack(opened, ['slugs']);
    }
  }

  /** Takes a post that cannot be published from the schedule, and notes why. */
  async #giveBack(opened: OpenPost, faults: readonly string[]): Promise<void> {
    const { draft } = opened;
    if (!draft) return;
    const changes = { ...takenOff(opened, faults), version: draft.version + 1 };
    const { plans, project, log } = this.#desk;
    await project.database.write(plans.update('post_drafts', inVersion(draft), { changes, single: false }));
    log.warn({ post: opened.id, faults }, 'A scheduled post could not be published: its author is notified');
  }

  async #cleanUp(): Promise<void> {
    const now = this.#desk.now();
    if (Math.abs(now - this.#cleanedAt) < HOUR_MS) return;
    this.#cleanedAt = now;
    await deleteExpired(this.#desk);
  }
}
