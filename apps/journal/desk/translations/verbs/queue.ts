import { AppError, type UserCaller } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type {
  QueuedPost,
  ReleaseState,
  SegmentCounts,
  WaitingSegments,
  WaitingState,
} from '../../../project/translations.ts';
import type { DeskContext } from '../../desk-context.ts';
import { escapeLike } from '../../list-posts.ts';
import { shownState } from '../present.ts';
import { SEGMENT_COUNTS } from '../records/count-segments.ts';
import { parseFacts } from '../releases/release-facts.ts';
import { mayReview } from '../requests.ts';

interface QueueQuery {
  language?: Language | undefined;
  /** Only posts with such segments; without one, those with any that is not reviewed. */
  state?: WaitingState | undefined;
  cursor?: string | undefined;
}

interface QueueRow extends SegmentCounts {
  id: string;
  post_id: string;
  title: string | null;
  language: Language;
  state: ReleaseState;
  /** What readers may know of the post's translations, as JSON. */
  translations: string | null;
  /** 1 for posts that readers have; null for those that were never published. */
  published: number | null;
  updated_at: number;
}

/** Posts of a page. */
const PAGE = 50;

/** The condition of the indexes of all that waits, which engines use where a statement has it word for word. Each state has its own. */
const WAITING = 'l.missing + l.machine + l.edited + l.outdated + l.blocked > 0';

/** What is released although the guard has found something in it. */
const DOUBTFUL = "(l.state = 'released' AND l.blocked > 0)";
const PUBLISHED = 'COALESCE(p.published, 0) = 1';

/**
 * The parts of the queue in their order, by the sign that each has in cursors: what is published and doubtful, what else is
 * published, and drafts.
 */
const PARTS = [
  ['!', [PUBLISHED, 'l.blocked > 0', "l.state = 'released'"]],
  ['', [PUBLISHED, `NOT ${DOUBTFUL}`]],
  ['d', [`NOT ${PUBLISHED}`]],
] as const;

/**
 * Lists the posts with segments that wait for somebody, by language: first what readers have although the guard has found something
 * in it, then what else is published, then drafts; in each, what was changed last comes first. `waiting` counts the segments of all
 * published ones that wait for a person, and not only those of this page.
 */
export async function listQueue(
  { project: { database } }: DeskContext,
  caller: UserCaller,
  { language, state, cursor }: QueueQuery,
): Promise<{ posts: QueuedPost[]; waiting: WaitingSegments; cursor: string | null }> {
  const { syntax } = database;
  const values: (string | number)[] = [];
  const bind = (value: string | number) => {
    values.push(value);
    return syntax.placeholder(values.length);
  };
  const waits = state === undefined ? WAITING : `l.${state} > 0`;
  const conditions = ['d.discarded_at IS NULL'];
  if (syntax.boundRows !== undefined) conditions.push(syntax.boundRows);
  // Authors see what waits in their own posts, and in those that name them.
  if (!mayReview(caller)) {
    const owns = `COALESCE(d.user_id, p.user_id) = ${bind(caller.id)}`;
    conditions.push(`(${owns} OR ${syntax.like('d.people', `%,${escapeLike(caller.id)},%`, bind)})`);
  }
  if (language) conditions.push(`l.language = ${bind(language)}`);
  const from = `post_languages AS l
     LEFT JOIN post_drafts AS d ON d.id = l.post_id LEFT JOIN journal_posts AS p ON p.id = l.post_id`;
  const sums = (await database.query(
    `SELECT l.language, SUM(l.missing + l.outdated + l.machine + l.edited) AS segments FROM ${from}
     WHERE ${[waits, PUBLISHED, ...conditions].join(' AND ')} GROUP BY l.language ORDER BY l.language`,
    [...values],
  )) as unknown as { language: Language; segments: number | string }[];
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const shared = values.length;
  /** Reads the rows of a part in order, by an index rather than by sorting all that waits. */
  const readPart = async (part: (typeof PARTS)[number], limit: number) => {
    values.length = shared;
    const [sign, kind] = part;
    const own: string[] = [...conditions, ...kind];
    // What is blocked waits: the engine takes the index of it rather than that of all that waits.
    if (sign !== '!' || state !== undefined) own.push(waits);
    if (after?.part === part)
      own.push(`(l.updated_at, l.id) < (${bind(after.updatedAt)}, ${bind(after.id)})`);
    const found = await database.query(
      `SELECT l.*, COALESCE(d.title, p.title) AS title, p.translations, p.published FROM ${from}
       WHERE ${own.join(' AND ')} ORDER BY l.updated_at DESC, l.id DESC LIMIT ${bind(limit)}`,
      values,
    );
    return found as unknown as QueueRow[];
  };
  const rows: QueueRow[] = [];
  for (const part of after ? PARTS.slice(PARTS.indexOf(after.part)) : PARTS) {
    if (rows.length <= PAGE) rows.push(...(await readPart(part, PAGE + 1 - rows.length)));
  }
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    posts: page.map((row) => ({
      postId: row.post_id,
      title: row.title ?? '',
      language: row.language,
      state: shownState(row.state, parseFacts(row.translations)[row.language]),
      counts: Object.fromEntries(SEGMENT_COUNTS.map((name) => [name, row[name]])) as SegmentCounts,
      isPublished: row.published === 1,
      updatedAt: row.updated_at,
    })),
    // PostgreSQL returns sums as texts.
    waiting: sums.map(({ language, segments }) => ({ language, segments: Number(segments) })),
    cursor: rows.length > PAGE && last ? writeCursor(last) : null,
  };
}

function writeCursor({ state, blocked, published, updated_at, id }: QueueRow): string {
  const sign = published !== 1 ? 'd' : state === 'released' && blocked > 0 ? '!' : '';
  return Buffer.from(`${sign}${updated_at} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): { part: (typeof PARTS)[number]; updatedAt: number; id: string } {
  const [, kind, time, id] =
    /^([!d]?)(\d{1,15}) (.{1,110})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const part = PARTS.find(([sign]) => sign === kind);
  if (!part || time === undefined || id === undefined)
    throw new AppError('INVALID_CURSOR', 'This cursor is not ours.');
  return { part, updatedAt: Number(time), id };
}
