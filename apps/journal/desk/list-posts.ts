import {
  AppError,
  countPageViews,
  type Database,
  publicName,
  type Syntax,
  type UserCaller,
} from '@fabrica/backend';
import { foldText } from '@fabrica/contract';
import { isLanguage, LANGUAGE_CODES, type Language } from '../project/languages.ts';
import { maySeeAll } from './access.ts';
import type { DeskContext } from './desk-context.ts';
import { deskReader, findNames, type PostStatus } from './queries.ts';

export interface PostListQuery {
  state?: PostStatus | undefined;
  language?: Language | undefined;
  /** Words of the title, the text or the people. */
  search?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

interface ListedRow {
  id: string;
  user_id: string;
  title: string;
  state: PostStatus;
  changed: number;
  languages: string;
  image_url: string | null;
  created_at: number;
  updated_at: number;
  published_at: number | null;
  scheduled_at: number | null;
  schedule_fault: string | null;
}

const LISTED =
  'id, user_id, title, state, changed, languages, image_url, created_at, updated_at, published_at, scheduled_at, schedule_fault';

/** The languages that readers have a post in: that of the original, and those that the row's labels speak of. */
const READABLE = `COALESCE(p.language, '') || ${LANGUAGE_CODES.map(
  (code) => `CASE WHEN p.translations LIKE '%"${code}":{%' THEN ',${code}' ELSE '' END`,
).join(' || ')}`;

/**
 * Working copies, with the languages that readers have, or will have first. Each of these lists is read in its order by an index,
 * and no further than the page needs.
 */
const COPIES = `SELECT ${LISTED.replaceAll(/\w+/g, 'd.$&').replace(
  'd.languages',
  `CASE WHEN p.id IS NULL THEN d.languages ELSE ${READABLE} END AS languages`,
)}, d.people, d.words FROM post_drafts AS d LEFT JOIN journal_posts AS p ON p.id = d.id WHERE d.discarded_at IS NULL`;

/** The posts of other programs, which have no working copy. */
const postsWithout = (syntax: Syntax, published: 0 | 1) => `
  SELECT p.id, p.user_id, p.title, '${published === 1 ? 'published' : 'unpublished'}' AS state, 0 AS changed,
    CASE WHEN p.title_en IS NULL THEN '' ELSE 'en,' END || CASE WHEN p.title_es IS NULL THEN '' ELSE 'es,' END ||
    CASE WHEN p.title_fr IS NULL THEN '' ELSE 'fr,' END || CASE WHEN p.title_de IS NULL THEN '' ELSE 'de,' END AS languages,
    p.image_url, p.created_at, p.updated_at, ${published === 1 ? 'p.created_at' : 'CAST(NULL AS bigint)'} AS published_at,
    CAST(NULL AS bigint) AS scheduled_at, CAST(NULL AS text) AS schedule_fault, CAST(NULL AS text) AS words
  FROM journal_posts AS p WHERE ${syntax.mostly(`p.published = ${published}`)} AND NOT EXISTS (SELECT 1 FROM post_drafts AS d WHERE d.id = p.id)`;

const ORDER = 'ORDER BY updated_at DESC, id DESC';

/** Lists an account's own posts and those that it is named in; editors' lists have all. The last changed ones come first. */
export async function listPosts(
  { project: { database } }: DeskContext,
  caller: UserCaller,
  query: PostListQuery,
) {
  const { limit } = query;
  const owners = query.search === undefined ? [] : await findOwners(database);
  const { sql, values } = compileList(database.syntax, caller, { ...query, owners });
  const rows = (await database.query(sql, values)) as unknown as ListedRow[];
  const page = rows.slice(0, limit);
  const [names, views, published] = await Promise.all([
    findNames(
      database,
      page.map(({ user_id }) => user_id),
    ),
    countPageViews(
      database,
      page.map(({ id }) => pagePath(id)),
    ),
    findLanguages(
      database,
      page.map(({ id }) => id),
    ),
  ]);
  const posts = page.map((row) => ({
    id: row.id,
    title: row.title,
    state: row.state,
    changed: row.changed === 1,
    /** The language of the title; null where it is not known. */
    language: asLanguage(published.has(row.id) ? published.get(row.id) : row.languages.split(',')[0]),
    languages: row.languages.split(',').filter(isLanguage),
    imageUrl: row.image_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    scheduledAt: row.scheduled_at,
    missedSchedule: row.schedule_fault !== null && !isUnapproved(row),
    /** Whether somebody who may not publish it has changed it since it was scheduled. */
    takenOffSchedule: isUnapproved(row),
    views: views.get(pagePath(row.id)) ?? 0,
    owner: { id: row.user_id, name: publicName(names.get(row.user_id) ?? null) },
  }));
  const last = page.at(-1);
  return { posts, cursor: rows.length > limit && last ? writeCursor(last) : null };
}

function asLanguage(code: string | null | undefined): Language | null {
  return isLanguage(code) ? code : null;
}

function isUnapproved({ schedule_fault: faults }: Pick<ListedRow, 'schedule_fault'>): boolean {
  return faults?.split(',').includes('unapproved') ?? false;
}

interface Owner {
  id: string;
  name: string;
}

type CompiledQuery = PostListQuery & { owners: readonly Owner[] };

/** Writes the statement of a page. Its values are bound in the order in which they stand in it. */
function compileList(
  syntax: Syntax,
  caller: UserCaller,
  { state, language, search, cursor, limit, owners }: CompiledQuery,
): { sql: string; values: (string | number)[] } {
  const values: (string | number)[] = [];
  const bind = (value: string | number) => {
    values.push(value);
    return syntax.placeholder(values.length);
  };
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const part = (source: string, conditions: () => string[]) => {
    const all = conditions();
    if (language) all.push(syntax.like('languages', `%${language}%`, bind));
    if (search) all.push(...searchConditions(syntax, { search, owners, bind }));
    if (after) all.push(`(updated_at, id) < (${bind(after.updatedAt)}, ${bind(after.id)})`);
    const where = all.length > 0 ? `WHERE ${all.join(' AND ')}` : '';
    return `SELECT * FROM (SELECT ${LISTED} FROM (${source}) AS posts ${where} ${ORDER} LIMIT ${bind(limit + 1)}) AS part`;
  };
  const inState = () => (state ? [`state = ${bind(state)}`] : []);
  const own = () => [`user_id = ${bind(caller.id)}`];
  const naming = () => [
    "people <> ''",
    `user_id <> ${bind(caller.id)}`,
    syntax.like('people', `%,${escapeLike(caller.id)},%`, bind),
    // An index by the state would have all copies, and that of the people has few.
    ...(state ? [`COALESCE(state, '') = ${bind(state)}`] : []),
  ];
  const seesAll = maySeeAll(caller);
  const copies = seesAll
    ? [part(COPIES, inState)]
    : [part(COPIES, () => [...own(), ...inState()]), part(COPIES, naming)];
  const begin = `WITH copies AS MATERIALIZED (${copies.join(' UNION ALL ')}),
    page_end AS MATERIALIZED (SELECT updated_at FROM copies ${ORDER} LIMIT 1 OFFSET ${bind(limit)})`;
  const others = ([1, 0] as const)
    .filter((published) => state === undefined || state === (published === 1 ? 'published' : 'unpublished'))
    .map((published) =>
      // What was changed before the last working copy of the page is on a later one.
      part(postsWithout(syntax, published), () => [
        ...(seesAll ? [] : own()),
        'updated_at >= COALESCE((SELECT updated_at FROM page_end), 0)',
      ]),
    );
  const all = ['SELECT * FROM copies', ...others].join(' UNION ALL ');
  return { sql: `${begin} SELECT * FROM (${all}) AS posts ${ORDER} LIMIT ${bind(limit + 1)}`, values };
}

/** Returns the conditions that a post has each word: in its working copy, in what readers see of it, or in its owner's name. */
function searchConditions(
  { like }: Syntax,
  {
    search,
    owners,
    bind,
  }: { search: string; owners: readonly Owner[]; bind: (value: string | number) => string },
): string[] {
  const words = foldText(search).match(/[\p{L}\p{N}]+/gu);
  if (!words) return ['1 = 0'];
  return words.map((word) => {
    const alternatives = [
      like('words', `%${word}%`, bind),
      // Post by post, so that a page of a common word is full soon. Without the offset, PostgreSQL reads all texts first.
      `EXISTS (SELECT 1 FROM post_search AS s WHERE s.post_id = posts.id AND ${like('s.text', `%${word}%`, bind)} LIMIT 1 OFFSET 0)`,
    ];
    const named = owners.filter(({ name }) => name.includes(word)).map(({ id }) => bind(id));
    if (named.length > 0) alternatives.push(`user_id IN (${named.join(', ')})`);
    return `(${alternatives.join(' OR ')})`;
  });
}

/** Returns the languages of the originals that readers have, by the ids of their posts; null where it is not known. */
async function findLanguages(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await deskReader(database)
    .selectFrom('journal_posts')
    .select(['id', 'language'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, language }) => [id, language === null ? null : String(language)]));
}

/** Returns the accounts that have begun a post, by their public names as searches compare them. */
async function findOwners(database: Database): Promise<Owner[]> {
  const rows = await deskReader(database)
    .selectFrom('profiles')
    .select(['id', 'display_name'])
    .where('id', 'in', deskReader(database).selectFrom('post_drafts').select('user_id'))
    .execute();
  return rows.map(({ id, display_name }) => ({ id, name: foldText(publicName(display_name) ?? '') }));
}

/** Views are counted under the path with the id, whichever address was read. */
function pagePath(id: string): string {
  return `/post/${id}`;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function writeCursor({ updated_at, id }: ListedRow): string {
  return Buffer.from(`${updated_at} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): { updatedAt: number; id: string } {
  const [, time, id] = /^(\d{1,15}) (.{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined)
    throw new AppError('INVALID_CURSOR', 'This cursor is not ours.');
  return { updatedAt: Number(time), id };
}
