import { allOf, equals, PacedQueue, writeAndPublish } from '@fabrica/backend';
import type { Byline } from '../project/document.ts';
import { noSuchPost } from './access.ts';
import type { DeskContext, JobContext, PostRequest } from './desk-context.ts';
import { findRevisionsWith, parseDocument } from './queries.ts';
import { columnsOfCopy, inVersion, publishedDocument, type ReadPost, readPost } from './working-copy.ts';
import { newId, retryInVersion, writeInVersion } from './write-copy.ts';

/** Posts that wait at most for their people to be asked. */
const MAX_POSTS = 10_000;

interface NamedRow {
  post_id: string;
  account_id: string;
  accepted: number;
  title: string;
  user_id: string;
  published: number | null;
  byline: string | null;
  people: string | null;
}

/** A post that names an account in its byline. */
interface NamedPost {
  id: string;
  title: string;
  published: boolean;
  accepted: boolean;
}

/** Returns the posts of others that name the account, the newest first. */
export async function listBylines(
  { project: { database } }: Pick<DeskContext, 'project'>,
  accountId: string,
): Promise<NamedPost[]> {
  const rows = await database.query(
    `SELECT c.post_id, c.account_id, c.accepted, COALESCE(d.title, p.title) AS title, p.published, p.byline, d.people
     FROM byline_consents AS c LEFT JOIN journal_posts AS p ON p.id = c.post_id LEFT JOIN post_drafts AS d ON d.id = c.post_id
     WHERE c.account_id = ${database.syntax.placeholder(1)} ORDER BY c.created_at DESC, c.id`,
    [accountId],
  );
  return (rows as unknown as NamedRow[])
    .filter((row) => accountsOf(row).includes(accountId))
    .map(({ post_id: id, title, published, accepted }) => {
      return { id, title, published: Number(published) === 1, accepted: Number(accepted) === 1 };
    });
}

/** Lets the name of the account stand as its own. Throws NOT_FOUND where it was not asked. */
export async function acceptByline(request: PostRequest): Promise<void> {
  const { desk, caller, postId } = request;
  const { project, bus, plans } = desk;
  await readNamed(request);
  const asked = allOf(equals('post_id', postId), equals('account_id', caller.id));
  const update = plans.update('byline_consents', asked, { changes: { accepted: 1 }, single: false });
  const { changes } = await writeAndPublish(project, bus, { plans: [update] });
  if (changes.length === 0) throw noSuchPost();
}

/**
 * Takes the name of the account off a post: what readers see, the working copy, and its history. Throws
 * NOT_FOUND where it is not named.
 */
export async function leaveByline(request: PostRequest): Promise<void> {
  const { draft } = await readNamed(request);
  await retryInVersion(draft?.version ?? 0, () => attemptLeave(request));
}

/** Returns a post that names the account, to its readers or in the working copy. Throws NOT_FOUND. */
async function readNamed({ desk, caller, postId }: PostRequest): Promise<ReadPost & { id: string }> {
  const found = await readPost(desk, postId);
  const { post, draft } = found ?? {};
  const people = { byline: String(post?.byline ?? '[]'), people: draft?.people ?? '' };
  if (!found || !accountsOf(people).includes(caller.id)) throw noSuchPost();
  return { id: postId, ...found };
}

async function attemptLeave(request: PostRequest): Promise<void> {
  const { desk, caller, postId } = request;
  const { plans, project, now } = desk;
  const opened = await readNamed(request);
  const { draft, post, document } = opened;
  const without = <T extends { byline: Byline }>(one: T): T => {
    return { ...one, byline: one.byline.filter(({ userId }) => userId !== caller.id) };
  };
  const asked = allOf(equals('post_id', postId), equals('account_id', caller.id));
  const written = [await plans.delete('byline_consents', asked, { single: false })];
  if (post) {
    const { byline } = without({ byline: JSON.parse(String(post.byline ?? '[]')) as Byline });
    const changes = {
      byline: byline.length > 0 ? JSON.stringify(byline) : null,
      updated_at: post.updated_at,
    };
    written.push(plans.update('journal_posts', equals('id', postId), { changes, single: true }));
  }
  if (draft) {
    const published = await publishedDocument(desk, opened);
    for (const revision of await findRevisionsWith(project.database, postId, caller.id)) {
      const changes = { document: JSON.stringify(without(parseDocument(revision.document))) };
      written.push(plans.update('post_revisions', equals('id', revision.id), { changes, single: true }));
    }
    const changes = {
      ...(await columnsOfCopy(desk, without(document), published && without(published))),
      // Whoever wrote or scheduled the version answers for it as before.
      ...{ version: draft.version + 1, updated_at: now() },
    };
    written.push(plans.update('post_drafts', inVersion(draft), { changes, single: true }));
  }
  await writeInVersion(request, written);
}

/**
 * Asks the accounts that bylines name, whatever program named them: each has a row of its own, about which it is mailed. Only the
 * node that wrote a post asks.
 */
export class BylineWatch {
  readonly #desk: JobContext;
  readonly #posts: PacedQueue;
  readonly #unsubscribe: () => void;

  constructor(desk: JobContext) {
    this.#desk = desk;
    const onError = (error: unknown) =>
      desk.log.error({ err: error }, 'The people of a post could not be asked');
    this.#posts = new PacedQueue({ take: (id) => this.#take(id), onError, capacity: MAX_POSTS });
    this.#unsubscribe = desk.bus.subscribe(({ projectId, table, id, after, before }) => {
      if (projectId !== desk.project.definition.id) return;
      if (table !== 'journal_posts' && table !== 'post_drafts') return;
      const column = table === 'journal_posts' ? 'byline' : 'people';
      if ((after?.[column] || null) !== (before?.[column] || null)) this.#posts.add(id);
    });
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#posts.close();
  }

  async #take(postId: string): Promise<void> {
    const { project, bus, plans, now } = this.#desk;
    const { database } = project;
    const bind = database.syntax.placeholder;
    const [row] = (await database.query(
      `SELECT COALESCE(p.user_id, d.user_id) AS user_id, p.byline, d.people FROM (SELECT ${bind(1)} AS id) AS one
       LEFT JOIN journal_posts AS p ON p.id = one.id LEFT JOIN post_drafts AS d ON d.id = one.id`,
      [postId],
    )) as unknown as NamedRow[];
    if (!row?.user_id) {
      const gone = await plans.delete('byline_consents', equals('post_id', postId), { single: false });
      await writeAndPublish(project, bus, { plans: [gone] });
      return;
    }
    const named = new Set(accountsOf(row).filter((account) => account !== row.user_id));
    const asked = (await database.query(
      `SELECT id, account_id FROM byline_consents WHERE post_id = ${bind(1)}`,
      [postId],
    )) as unknown as { id: string; account_id: string }[];
    // Who is named anew is asked anew.
    for (const { id } of asked.filter(({ account_id: account }) => !named.has(account))) {
      const gone = await plans.delete('byline_consents', equals('id', id), { single: false });
      await writeAndPublish(project, bus, { plans: [gone] });
    }
    for (const account of named) {
      const known = await database.query(
        `SELECT u.id FROM users AS u LEFT JOIN byline_consents AS c ON c.account_id = u.id AND c.post_id = ${bind(1)}
         WHERE u.id = ${bind(2)} AND c.id IS NULL`,
        [postId, account],
      );
      if (known.length === 0) continue;
      const at = now();
      const consent = {
        id: newId('consent', at),
        post_id: postId,
        user_id: row.user_id,
        account_id: account,
      };
      const create = plans.create('byline_consents', { ...consent, accepted: 0, created_at: at });
      await writeAndPublish(project, bus, { plans: [create] });
    }
  }
}

/** Returns the accounts that the readers' row and the working copy of a post name. */
function accountsOf({ byline, people }: Pick<NamedRow, 'byline' | 'people'>): string[] {
  const published = (JSON.parse(byline ?? '[]') as Byline).flatMap(({ userId }) => userId ?? []);
  return [...published, ...(people ?? '').split(',').filter((id) => id !== '')];
}
