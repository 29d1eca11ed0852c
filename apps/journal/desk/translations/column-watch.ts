import { AppError, PacedQueue, type Row } from '@fabrica/backend';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import type { JobContext } from '../desk-context.ts';
import { quotaOf } from '../rows-quota.ts';
import { changeRecords, planFacts } from './change-records.ts';
import { translationReader } from './records/record-rows.ts';
import { forgetReviewer } from './releases/release-facts.ts';

/** Posts that wait at most. Those that another program writes beyond them are taken when the desk first needs them. */
const MAX_POSTS = 10_000;

/** Posts that are looked at after a write of SQL, the newest first: nobody knows which of them it wrote. */
const POSTS_PER_WRITE = 1_000;

/**
 * Takes what other programs write into the columns of posts: their translations get records, and readers learn that a
 * machine wrote them, or may have done so. Of accounts that are deleted it takes the names of reviewers back. Only the node that wrote a row takes
 * it, one post at a time and in a tenth of its time: splitting and checking texts costs more than writing them. A row that was
 * written while no node was running is taken when the desk first needs it. So is one whose owner has written all that an account
 * may in a day: the records count towards it.
 */
export class ColumnWatch {
  readonly #desk: JobContext;
  readonly #posts: PacedQueue;
  readonly #deletedAccounts: PacedQueue;
  readonly #unsubscribe: readonly (() => void)[];
  #looking: Promise<void> = Promise.resolve();

  constructor(desk: JobContext) {
    this.#desk = desk;
    const onError = (error: unknown) =>
      desk.log.error({ err: error }, 'Translations of other programs could not be read');
    this.#posts = new PacedQueue({ take: (id) => this.#take(id), onError, capacity: MAX_POSTS });
    this.#deletedAccounts = new PacedQueue({ take: (id) => this.#forget(id), onError });
    const unsubscribe = desk.bus.subscribe(({ projectId, table, operation, id, after, before }) => {
      if (projectId !== desk.project.definition.id) return;
      if (table === 'profiles' && operation === 'delete') this.#deletedAccounts.add(id);
      if (table !== 'journal_posts' || operation === 'delete') return;
      if (isTranslated(after) || isTranslated(before)) this.#posts.add(id);
    });
    const unsubscribeTables = desk.bus.subscribeTables(({ projectId, tables }) => {
      if (projectId !== desk.project.definition.id) return;
      this.#looking = this.#looking.then(() => this.#look(tables)).catch(onError);
    });
    this.#unsubscribe = [unsubscribe, unsubscribeTables];
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#looking;
    await Promise.all([this.#posts.close(), this.#deletedAccounts.close()]);
  }

  /** Looks for what a write of SQL in these tables may have left to take. */
  async #look(tables: readonly string[]): Promise<void> {
    const { query } = this.#desk.project.database;
    if (tables.includes('users')) {
      const gone = await query(
        `SELECT DISTINCT reviewed_by AS id FROM segment_translations
         WHERE reviewed_by IS NOT NULL AND reviewed_by NOT IN (SELECT id FROM users)`,
        [],
      );
      for (const { id } of gone) this.#deletedAccounts.add(String(id));
    }
    if (!tables.includes('journal_posts')) return;
    const posts = await query(
      `SELECT p.* FROM journal_posts AS p LEFT JOIN post_segments AS s ON s.id = p.id
       WHERE s.id IS NULL OR p.updated_at <> s.post_updated_at ORDER BY p.updated_at DESC LIMIT ${POSTS_PER_WRITE}`,
      [],
    );
    for (const post of posts) if (isTranslated(post)) this.#posts.add(String(post.id));
  }

  /** Takes the name of an account that is gone from what readers are told. */
  async #forget(userId: string): Promise<void> {
    const desk = this.#desk;
    const reviewed = await translationReader(desk.project.database)
      .selectFrom('segment_translations')
      .select('post_id')
      .distinct()
      .where('reviewed_by', '=', userId)
      .execute();
    for (const { post_id } of reviewed) {
      await changeRecords(desk, post_id, ({ records, facts, post }) => ({
        plans: planFacts(desk, post, forgetReviewer(records, facts, userId)),
        result: () => undefined,
      }));
    }
  }

  async #take(id: string): Promise<void> {
    const desk = this.#desk;
    const [post] = (await desk.project.database.query(
      `SELECT p.user_id, p.updated_at, s.post_updated_at FROM journal_posts AS p LEFT JOIN post_segments AS s ON s.id = p.id
       WHERE p.id = ${desk.project.database.syntax.placeholder(1)}`,
      [id],
    )) as { user_id: string; updated_at: number; post_updated_at: number | null }[];
    // The desk's own writes are in the records already, and a post may be gone.
    if (!post || post.updated_at === post.post_updated_at) return;
    const quota = quotaOf(desk, post.user_id);
    await changeRecords(desk, id, () => ({ quota, result: () => undefined })).catch((error) => {
      if (!(error instanceof AppError && error.code === 'RATE_LIMITED')) throw error;
    });
  }
}

/** Tells whether a row has a translation. Many programs write the original into each language that has none. */
function isTranslated(row: Row | null): boolean {
  if (row === null) return false;
  const wordsOf = (column: string) => String(row[column] ?? '').trim();
  return ['title', 'content'].some((column) => {
    const original = wordsOf(column);
    return LANGUAGE_CODES.some((code) => !['', original].includes(wordsOf(`${column}_${code}`)));
  });
}
