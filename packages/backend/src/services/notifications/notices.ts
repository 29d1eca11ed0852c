import type { Logger } from 'pino';
import type { Bus, ChangeEvent, Row } from '../../core/bus.ts';
import type { Keys } from '../../core/keys.ts';
import type { NoticeRule } from '../../core/project.ts';
import type { Project } from '../../database/project.ts';
import type { MailQueue, RenderedMail } from '../../mail/index.ts';
import { Poller } from '../../runtime/poller.ts';
import {
  bringForward,
  claimNotice,
  type DueNotice,
  dropNotice,
  findRows,
  forgetTold,
  type Happening,
  isStopped,
  type NoticeTransaction,
  nextDue,
  noteHappenings,
  noticeWriter,
  ROWS_PER_LOOK,
  readMark,
  rowsSince,
  settleNotice,
  untoldRows,
  writeMark,
} from './notice-queries.ts';
import { findRecipient, type RecipientRow } from './queries.ts';
import { makeStopToken } from './stop-token.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The first mail waits a little: what is taken back at once, or comes in a row, makes no mails. */
const FIRST_MAIL_MS = MINUTE_MS;
/** Between two mails about the same thing. */
const BETWEEN_MAILS_MS = HOUR_MS;
/** Of whoever puts a mail together; another may do it then. */
const LEASE_MS = 5 * MINUTE_MS;
const POLL_MS = 30_000;
/** What was made so long before the mark is looked for again: clocks differ, and transactions take their time. */
const SLACK_MS = HOUR_MS;
/** For so long it is known what was told; longer than the slack. */
const TOLD_MS = 7 * DAY_MS;
/** Rows that a mail quotes. */
const QUOTED_ROWS = 10;

/** What a mail says about what others did, to be put into words. */
export interface Notice {
  /** The name of the project's rule. */
  kind: string;
  /** A code of the project's `languages`: the recipient's. */
  language: string;
  /** The row that it is about, which is the recipient's. */
  about: Row;
  /** Rows of others that refer to it, the newest first; ten at most. */
  rows: readonly Row[];
  /** How many there are in all. */
  total: number;
  /** The page of ours that stops such mails. */
  stopLink: string;
  /** The address of the site that the mail speaks for. */
  siteUrl: string;
}

/** Puts it into words; undefined for a kind that it has none for, which then makes no mail. */
export type RenderNotice = (notice: Notice) => Promise<RenderedMail | undefined>;

/** Mails to the owners of rows about what others did there, as the projects' `notices` say. */
export interface Notices {
  /** Looks at once. */
  wake(): void;
  /** Resolves when everything that has happened is noted, and nothing is due. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface NoticesOptions {
  projects: ReadonlyMap<string, Project>;
  bus: Bus;
  keys: Pick<Keys, 'refreshKey'>;
  mailQueue: Pick<MailQueue, 'accept' | 'sendSoon'>;
  render: RenderNotice;
  publicUrl: string;
  /** Path of the product's page with the buttons that stop mails. */
  stopPage: string;
  log: Logger;
  /** Milliseconds; another's default. */
  pollMs?: number;
  /** Epoch ms. */
  now?: () => number;
}

export function createNotices(options: NoticesOptions): Notices {
  const {
    projects,
    bus,
    keys,
    mailQueue,
    render,
    publicUrl,
    stopPage,
    log,
    pollMs = POLL_MS,
    now = Date.now,
  } = options;
  const noting = new Set<Promise<void>>();
  /** What happened, of a project and kind, and is still to be noted; there while one notes it. */
  const unnoted = new Map<string, Happening[]>();
  /** Projects of which something may have happened that was not noted. */
  const behind = new Set<Project>();
  let tidiedAt = 0;
  const poller = new Poller({
    errorPauseMs: pollMs,
    poll,
    onError: (error) => log.error({ err: error }, 'Notices could not be made'),
  });

  const unsubscribe = bus.subscribe((event) => {
    const project = event.operation === 'create' ? projects.get(event.projectId) : undefined;
    for (const [kind, rule] of Object.entries(project?.definition.notices ?? {})) {
      if (project && rule.table === event.table) noteEvent(project, kind, { rule, event });
    }
  });

  function noteEvent(
    project: Project,
    kind: string,
    { rule, event }: { rule: NoticeRule; event: ChangeEvent },
  ): void {
    const aboutId = event.after?.[rule.column];
    if (aboutId === null || aboutId === undefined) return;
    const name = `${event.projectId}/${kind}`;
    const happened = unnoted.get(name);
    const happening = { rowId: event.id, aboutId: String(aboutId) };
    if (happened) {
      happened.push(happening);
      return;
    }
    unnoted.set(name, [happening]);
    const job = noteAll(project, kind, name)
      .then(
        () => poller.wake(),
        () => {
          // The next round looks for what is missing.
          behind.add(project);
        },
      )
      .finally(() => noting.delete(job));
    noting.add(job);
  }

  /** What happens while some is being noted is noted after it, in one go. */
  async function noteAll(project: Project, kind: string, name: string): Promise<void> {
    try {
      for (let next = take(name); next.length > 0; next = take(name)) await note(project, kind, next);
    } finally {
      unnoted.delete(name);
    }
  }

  function take(name: string): readonly Happening[] {
    return unnoted.get(name)?.splice(0, ROWS_PER_LOOK) ?? [];
  }

  function note({ database }: Project, kind: string, happenings: readonly Happening[]): Promise<void> {
    const time = now();
    const dueAfter = (mailedAt: number | null) =>
      Math.max(time + FIRST_MAIL_MS, (mailedAt ?? 0) + BETWEEN_MAILS_MS);
    return noteHappenings(database, { kind, happenings, now: time, dueAfter });
  }

  async function poll(): Promise<number> {
    let pause = pollMs;
    const isTimeToTidy = Math.abs(now() - tidiedAt) >= HOUR_MS;
    if (isTimeToTidy) tidiedAt = now();
    for (const project of withRules(projects)) {
      if (isTimeToTidy) behind.add(project);
      try {
        if (behind.has(project)) await catchUp(project);
        await tellAll(project);
        pause = Math.min(pause, ((await nextDue(project.database)) ?? now() + pollMs) - now());
      } catch (error) {
        log.error({ err: error }, 'Notices could not be made');
      }
    }
    return pause;
  }

  /** What was committed by a process, this one or another, that died before it could note it. */
  async function catchUp(project: Project): Promise<void> {
    const { database, definition } = project;
    behind.delete(project);
    try {
      for (const [kind, rule] of Object.entries(definition.notices ?? {})) {
        const time = now();
        const mark = await readMark(database, kind);
        // Whatever there was before anybody was told of anything is old news.
        if (mark !== undefined) {
          for await (const happenings of rowsSince(database, rule, Math.min(mark, time) - SLACK_MS))
            await note(project, kind, happenings);
        }
        await writeMark(database, kind, time);
      }
      // Only now: what is forgotten must be too old to be found again.
      await forgetTold(database, now() - TOLD_MS);
      await bringForward(database, { now: now(), latest: now() + BETWEEN_MAILS_MS });
    } catch (error) {
      behind.add(project);
      throw error;
    }
  }

  async function tellAll(project: Project): Promise<void> {
    for (;;) {
      const next = await nextDue(project.database);
      if (poller.isClosed || next === undefined || next > now()) return;
      const claim = { now: now(), leaseUntil: now() + LEASE_MS };
      const due = await claimNotice(project.database, claim);
      if (!due) return;
      try {
        await tell(project, due);
      } catch (error) {
        // It is tried again when the lease is over.
        log.error({ notice: due.kind, err: error }, 'A notice could not be made');
      }
    }
  }

  async function tell(project: Project, due: DueNotice): Promise<void> {
    const { database, definition } = project;
    const rule = definition.notices?.[due.kind];
    const [about] = rule ? await findRows(database, rule.about, [due.about_id]) : [];
    if (!rule || !about) return dropNotice(database, due);
    const rowIds = await untoldRows(database, due);
    const user = await findRecipient(database, String(about.user_id));
    const rows = (await findRows(database, rule.table, rowIds))
      .filter((row) => row.user_id !== about.user_id)
      .sort((left, right) => Number(right.created_at) - Number(left.created_at));
    const wanted = rows.length > 0 && user && (await wants(project, user, due));
    const mail = wanted && (await write(project, { due, user, about, rows }));
    const nextAt = now() + (mail ? BETWEEN_MAILS_MS : FIRST_MAIL_MS);
    const told = { rowIds, now: now(), mailed: Boolean(mail), nextAt };
    if (!mail) {
      await noticeWriter(database)
        .transaction()
        .execute((transaction) => settleNotice(transaction, due, told));
      return;
    }
    await noticeWriter(database)
      .transaction()
      .execute(async (transaction) => {
        await settleNotice(transaction, due, told);
        const accepted = { kind: due.kind, userId: user.id, mail: { to: user.email, ...mail } };
        await mailQueue.accept(project, accepted, transaction as unknown as NoticeTransaction);
      });
    mailQueue.sendSoon();
  }

  /** Nobody is written to whose address may be another's, or who cannot sign in to say no. */
  async function wants({ database }: Project, user: RecipientRow, due: DueNotice): Promise<boolean> {
    if (user.email_verified === 0 || user.disabled_at !== null) return false;
    return !(await isStopped(database, { userId: user.id, kind: due.kind, aboutId: due.about_id }));
  }

  async function write(
    { definition }: Project,
    { due, user, about, rows }: { due: DueNotice; user: RecipientRow; about: Row; rows: readonly Row[] },
  ) {
    const { id: projectId, languages = ['en'] } = definition;
    const language = user.language ?? languages[0] ?? 'en';
    const subject = { projectId, userId: user.id, kind: due.kind, aboutId: due.about_id };
    const token = encodeURIComponent(makeStopToken(keys, subject));
    const rendered = await render({
      kind: due.kind,
      language,
      about,
      rows: rows.slice(0, QUOTED_ROWS),
      total: rows.length,
      stopLink: `${publicUrl}${stopPage}?token=${token}&lang=${encodeURIComponent(language)}`,
      siteUrl: publicUrl,
    });
    const headers = {
      // RFC 8058: mail programs offer a button of their own, which needs no page.
      'List-Unsubscribe': `<${publicUrl}/api/notifications/${projectId}/stop?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    return rendered && { ...rendered, headers };
  }

  async function settled(): Promise<void> {
    while (noting.size > 0) await Promise.race(noting);
    await poller.idle();
  }

  if (withRules(projects).length > 0) poller.wake();
  return {
    wake: () => poller.wake(),
    async idle() {
      do await settled();
      while (noting.size > 0 || poller.isPolling);
    },
    async close() {
      unsubscribe();
      await settled();
      await poller.close();
    },
  };
}

function withRules(projects: ReadonlyMap<string, Project>): Project[] {
  return [...projects.values()].filter(({ definition }) => Object.keys(definition.notices ?? {}).length > 0);
}
