import type { Logger } from 'pino';
import type { Bus, ChangeEvent } from '../../core/bus.ts';
import type { Project } from '../../database/project.ts';
import type { MailQueue } from '../../mail/index.ts';
import type { Meter } from '../../runtime/meter.ts';
import { Poller } from '../../runtime/poller.ts';
import { type NoticeMailOptions, renderNoticeMail } from './notice-mail.ts';
import {
  claimNotice,
  type DueNotice,
  deleteNotice,
  deleteSentItems,
  findRows,
  isStopped,
  type NoticeItem,
  type NoticeTransaction,
  nextDueAt,
  noticeWriter,
  ROWS_PER_READ,
  readItemsSince,
  readMark,
  readUnsentRowIds,
  recordItems,
  rescheduleFarNotices,
  settleNotice,
  writeMark,
} from './notice-queries.ts';
import { findRecipient, type RecipientRow } from './queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds before the first mail, so that rows which are deleted at once or come in a row make no mails each. */
const FIRST_MAIL_MS = MINUTE_MS;
/** Milliseconds between two mails about the same row. */
const BETWEEN_MAILS_MS = HOUR_MS;
/** Milliseconds after which another process may write a mail that was claimed. */
const LEASE_MS = 5 * MINUTE_MS;
const POLL_MS = 30_000;
/** Milliseconds before the mark that are read again, because clocks differ and transactions take time. */
const OVERLAP_MS = HOUR_MS;
/** Milliseconds that sent items stay, so that no row is sent twice; longer than the overlap. */
const SENT_ITEM_MS = 7 * DAY_MS;

export interface NoticeWorkerOptions extends NoticeMailOptions {
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  mailQueue: Pick<MailQueue, 'enqueue' | 'wake'>;
  log: Logger;
  meter?: Meter | undefined;
  /** Longest pause between two polls, in milliseconds. */
  pollMs?: number;
  /** Epoch ms. */
  now?: () => number;
}

/** Sends the owners of rows mails about new rows that refer to theirs, by the `notices` rules of the projects. */
export class NoticeWorker {
  readonly #options: NoticeWorkerOptions;
  readonly #projects: readonly Project[];
  readonly #pollMs: number;
  readonly #now: () => number;
  readonly #poller: Poller;
  readonly #unsubscribe: readonly (() => void)[];
  readonly #recording = new Set<Promise<void>>();
  /** Items that are still to be recorded, by project and kind. A list exists while its items are being recorded. */
  readonly #unrecorded = new Map<string, NoticeItem[]>();
  /** Projects that may have rows which were not recorded. */
  readonly #behind = new Set<Project>();
  #cleanedAt = 0;

  constructor(options: NoticeWorkerOptions) {
    const { projects, bus, log, meter, pollMs = POLL_MS, now = Date.now } = options;
    this.#options = options;
    this.#projects = [...projects.values()].filter(
      ({ definition }) => Object.keys(definition.notices ?? {}).length > 0,
    );
    this.#pollMs = pollMs;
    this.#now = now;
    this.#poller = new Poller({
      name: 'notices',
      meter,
      errorPauseMs: pollMs,
      poll: () => this.#poll(),
      onError: (error) => log.error({ err: error }, 'Notices could not be sent'),
    });
    this.#unsubscribe = [
      bus.subscribe((event) => this.#onChange(event)),
      bus.subscribeTables(({ projectId, tables }) => this.#onTables(projectId, tables)),
    ];
    if (this.#projects.length > 0) this.#poller.wake();
  }

  /** Polls at once. */
  wake(): void {
    this.#poller.wake();
  }

  /** Resolves when all changes are recorded and no notice is due. */
  async idle(): Promise<void> {
    do await this.#settled();
    while (this.#recording.size > 0 || this.#poller.isPolling);
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#settled();
    await this.#poller.close();
  }

  async #settled(): Promise<void> {
    while (this.#recording.size > 0) await Promise.race(this.#recording);
    await this.#poller.idle();
  }

  #onChange(event: ChangeEvent): void {
    const project = event.operation === 'create' ? this.#options.projects.get(event.projectId) : undefined;
    for (const [kind, rule] of Object.entries(project?.definition.notices ?? {})) {
      const aboutId = event.after?.[rule.column];
      if (!project || rule.table !== event.table || aboutId === null || aboutId === undefined) continue;
      this.#addItem(project, kind, { rowId: event.id, aboutId: String(aboutId) });
    }
  }

  /** Has the next poll, which begins at once, read the new rows from the table. */
  #onTables(projectId: string, tables: readonly string[]): void {
    const project = this.#projects.find(({ definition }) => definition.id === projectId);
    const rules = Object.values(project?.definition.notices ?? {});
    if (!project || !rules.some(({ table }) => tables.includes(table))) return;
    this.#behind.add(project);
    this.#poller.wake();
  }

  /** Records an item in the background. Items that come meanwhile are recorded after it, together. */
  #addItem(project: Project, kind: string, item: NoticeItem): void {
    const name = `${project.definition.id}/${kind}`;
    const waiting = this.#unrecorded.get(name);
    if (waiting) {
      waiting.push(item);
      return;
    }
    this.#unrecorded.set(name, [item]);
    const job = this.#recordAll(project, kind, name)
      .then(
        () => this.#poller.wake(),
        // The next poll reads the missing rows from the table.
        () => void this.#behind.add(project),
      )
      .finally(() => this.#recording.delete(job));
    this.#recording.add(job);
  }

  async #recordAll(project: Project, kind: string, name: string): Promise<void> {
    const items = this.#unrecorded.get(name) ?? [];
    try {
      while (items.length > 0) await this.#record(project, kind, items.splice(0, ROWS_PER_READ));
    } finally {
      // In the same tick as the last check, so that no item is added to a list that is not read any more.
      this.#unrecorded.delete(name);
    }
  }

  #record({ database }: Project, kind: string, items: readonly NoticeItem[]): Promise<void> {
    const now = this.#now();
    const dueAfter = (mailedAt: number | null) =>
      Math.max(now + FIRST_MAIL_MS, (mailedAt ?? 0) + BETWEEN_MAILS_MS);
    return recordItems(database, { kind, items, now, dueAfter });
  }

  async #poll(): Promise<number> {
    let pause = this.#pollMs;
    const isTimeToCleanUp = Math.abs(this.#now() - this.#cleanedAt) >= HOUR_MS;
    if (isTimeToCleanUp) this.#cleanedAt = this.#now();
    for (const project of this.#projects) {
      if (isTimeToCleanUp) this.#behind.add(project);
      try {
        if (this.#behind.has(project)) await this.#catchUp(project);
        await this.#sendDue(project);
        const dueAt = await nextDueAt(project.database);
        if (dueAt !== undefined) pause = Math.min(pause, dueAt - this.#now());
      } catch (error) {
        this.#options.log.error({ err: error }, 'Notices could not be sent');
      }
    }
    return pause;
  }

  /** Records the rows of processes that died before they recorded them, then deletes old items. */
  async #catchUp(project: Project): Promise<void> {
    const { database, definition } = project;
    this.#behind.delete(project);
    try {
      for (const [kind, rule] of Object.entries(definition.notices ?? {})) {
        const now = this.#now();
        const mark = await readMark(database, kind);
        // Rows from before the first poll of a kind are not sent.
        if (mark !== undefined) {
          for await (const items of readItemsSince(database, rule, Math.min(mark, now) - OVERLAP_MS))
            await this.#record(project, kind, items);
        }
        await writeMark(database, kind, now);
      }
      // Deleted items must be older than the marks minus the overlap, or their rows would be sent again.
      await deleteSentItems(database, this.#now() - SENT_ITEM_MS);
      await rescheduleFarNotices(database, { now: this.#now(), latest: this.#now() + BETWEEN_MAILS_MS });
    } catch (error) {
      this.#behind.add(project);
      throw error;
    }
  }

  async #sendDue(project: Project): Promise<void> {
    for (;;) {
      const dueAt = await nextDueAt(project.database);
      if (this.#poller.isClosed || dueAt === undefined || dueAt > this.#now()) return;
      const claim = { now: this.#now(), leaseUntil: this.#now() + LEASE_MS };
      const due = await claimNotice(project.database, claim);
      if (!due) return;
      try {
        await this.#send(project, due);
      } catch (error) {
        // It is tried again when the lease is over.
        this.#options.log.error({ notice: due.kind, err: error }, 'A notice could not be sent');
      }
    }
  }

  async #send(project: Project, due: DueNotice): Promise<void> {
    const { database, definition } = project;
    const rule = definition.notices?.[due.kind];
    const [about] = rule ? await findRows(database, rule.about, [due.about_id]) : [];
    if (!rule || !about) return deleteNotice(database, due);
    const rowIds = await readUnsentRowIds(database, due);
    const user = await findRecipient(database, String(about.user_id));
    const rows = (await findRows(database, rule.table, rowIds))
      .filter((row) => row.user_id !== about.user_id)
      .sort((left, right) => Number(right.created_at) - Number(left.created_at));
    const isWanted = rows.length > 0 && user && (await this.#isWanted(project, user, due));
    const mail = isWanted && (await renderNoticeMail({ definition, due, user, about, rows }, this.#options));
    await noticeWriter(database)
      .transaction()
      .execute(async (transaction) => {
        const nextAt = this.#now() + (mail ? BETWEEN_MAILS_MS : FIRST_MAIL_MS);
        await settleNotice(transaction, due, { rowIds, now: this.#now(), mailed: Boolean(mail), nextAt });
        if (!mail || !user) return;
        const queued = { kind: due.kind, userId: user.id, mail: { to: user.email, ...mail } };
        await this.#options.mailQueue.enqueue(project, queued, transaction as unknown as NoticeTransaction);
      });
    if (mail) this.#options.mailQueue.wake();
  }

  /** An unverified email may belong to somebody else, and a disabled account cannot sign in to stop the mails. */
  async #isWanted({ database }: Project, user: RecipientRow, due: DueNotice): Promise<boolean> {
    if (user.email_verified === 0 || user.disabled_at !== null) return false;
    return !(await isStopped(database, { userId: user.id, kind: due.kind, aboutId: due.about_id }));
  }
}
