import type { FabricaClient } from '@fabrica/client';
import { findChange } from '../../project/dated-changes.ts';
import type { JournalPost, TranslatedPost } from '../../project/entities.ts';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../../project/languages.ts';
import { originalFirst } from '../../project/localize.ts';
import { isoTime } from '../../project/time.ts';
import { escapeXml } from '../../project/write-xml.ts';
import { isAboutWritten } from '../about/load-about.ts';
import { guessLanguage } from '../language/guess-language.ts';
import { alternatesOf } from '../layout/metadata.ts';
import { addressOf, loadSlugs } from '../post/post-address.ts';
import { loadTexts, type Site, writtenLanguages } from '../site/site.ts';

/** Posts in a part. Each has a URL in every language of its text with links to all others: 3 kB at most. */
const POSTS_PER_PART = 1_000;

/** Posts whose slugs are read at once: their ids stand in a URL. */
const POSTS_PER_READ = 200;

/** The name of the part with the pages that are no posts. */
const PAGES_PART = 'pages';

interface SitemapEntry {
  /** The path of the page without a query. */
  path: string;
  /** The languages that the page exists in; all of the site's by default, or when it is empty. */
  languages?: readonly Language[];
  /** The paths in the languages where it has one of their own. */
  paths?: Partial<Record<Language, string>>;
  /** Returns when the words of a language changed last, in epoch milliseconds, where that is known. */
  changedIn?: (language: Language) => number;
}

type Database = Pick<FabricaClient, 'db'>;

/**
 * Returns the names of all parts. Parts of posts are named after their first post, so that each is read from there on, and the first
 * post of the next one is found by counting the posts of one part alone: no statement takes longer with more posts.
 */
export async function listParts(client: Database): Promise<string[]> {
  const parts = [PAGES_PART];
  let first = await findPost(client, undefined, 0);
  while (first) {
    parts.push(encodeURIComponent(partFrom(first)));
    first = await findPost(client, first, POSTS_PER_PART);
  }
  return parts;
}

type PostKey = Pick<JournalPost, 'id' | 'createdAt'>;

/** Returns the name of the part that begins with a post. */
function partFrom({ id, createdAt }: PostKey): string {
  return `posts-${createdAt}-${id}`;
}

/** Returns the post that comes so many posts after another, or after the oldest. */
async function findPost(
  { db }: Database,
  first: PostKey | undefined,
  offset: number,
): Promise<PostKey | undefined> {
  const [post] = await db.table<JournalPost>('journalPosts').list({
    where: { published: 1, ...(first && fromPost(first)) },
    orderBy: { createdAt: 'asc' },
    limit: 1,
    offset,
    select: ['id', 'createdAt'],
  });
  return post;
}

/** Returns the condition for a post and all later ones. The first part of it lets engines begin there in an index. */
function fromPost({ id, createdAt }: PostKey) {
  return { createdAt: { gte: createdAt }, OR: [{ createdAt: { gt: createdAt } }, { id: { gte: id } }] };
}

/** Returns the entries of a part, or undefined when there is no such part. Its posts are in the order of their creation. */
export async function loadPart(
  client: Database,
  name: string,
  site: Site,
): Promise<SitemapEntry[] | undefined> {
  if (name === PAGES_PART) return loadPages(client, site);
  const [, time, id] = /^posts-(\d{1,16})-([\w-]+)$/.exec(name) ?? [];
  if (time === undefined || id === undefined || !Number.isSafeInteger(Number(time))) return undefined;
  const posts = await client.db.table<JournalPost>('journalPosts').list({
    where: { published: 1, ...fromPost({ id, createdAt: Number(time) }) },
    orderBy: { createdAt: 'asc' },
    limit: POSTS_PER_PART,
    select: ['id', 'createdAt', 'datedChanges'],
  });
  const [first] = posts;
  // Each other name would be one more page of the same posts, which the cache keeps as well.
  if (!first || partFrom(first) !== name) return undefined;
  const entries: SitemapEntry[] = [];
  for (let start = 0; start < posts.length; start += POSTS_PER_READ) {
    const some = posts.slice(start, start + POSTS_PER_READ);
    const ids = some.map(({ id }) => id);
    const [slugs, languages] = await Promise.all([loadSlugs(client, ids), loadLanguages(client, some)]);
    for (const { id, createdAt, datedChanges } of some) {
      const changedIn = (language: Language) => findChange(datedChanges, language)?.at ?? createdAt;
      const post = { id, slugs: slugs.get(id) ?? {}, languages: languages.get(id) ?? [] };
      entries.push({ ...addressOf(post), languages: post.languages, changedIn });
    }
  }
  return entries;
}

/** Returns the languages that each post's page names, the original first; none where they are not known. */
async function loadLanguages(
  { db }: Database,
  posts: readonly Pick<JournalPost, 'id' | 'createdAt'>[],
): Promise<ReadonlyMap<string, readonly Language[]>> {
  const found = await db.table<TranslatedPost>('translatedPosts').list({
    // By the times, engines find the posts in an index; an offset would have them compare the texts of all posts before.
    where: {
      published: 1,
      createdAt: { gte: posts[0]?.createdAt ?? 0, lte: posts.at(-1)?.createdAt ?? 0 },
      id: { in: posts.map(({ id }) => id) },
    },
    orderBy: { createdAt: 'asc' },
    limit: POSTS_PER_READ,
  });
  return new Map(
    found.map(({ id, language, translations, opening }) => {
      const original = language ?? (opening === null ? undefined : guessLanguage(opening));
      return [id, originalFirst(translations.split(',').filter(isLanguage), original)];
    }),
  );
}

async function loadPages(client: Database, site: Site): Promise<SitemapEntry[]> {
  const texts = await loadTexts(client, DEFAULT_LANGUAGE, site);
  const languagesOf = (isWritten: Parameters<typeof writtenLanguages>[2]) =>
    writtenLanguages(texts, site, isWritten);
  const about = texts.some(isAboutWritten) ? { languages: languagesOf(isAboutWritten) } : {};
  return [
    { path: '/gallery' },
    { path: '/about-me', ...about },
    { path: '/contact' },
    ...site.legalPages.map((page) => ({
      path: `/${page}`,
      languages: languagesOf((row) => row[page] !== null),
    })),
  ];
}

export function writeIndex(parts: readonly string[], publicUrl: string): string {
  const entries = parts.map(
    (part) => `<sitemap><loc>${escapeXml(`${publicUrl}/sitemap/${part}.xml`)}</loc></sitemap>`,
  );
  return document('sitemapindex', '', entries);
}

/**
 * Writes the canonical URL of each page in each language that it exists in, with links to the page in the others: what the pages
 * themselves name.
 */
export function writePart(
  entries: readonly SitemapEntry[],
  { publicUrl, site }: { publicUrl: string; site: Pick<Site, 'languages'> },
): string {
  const urls = entries.flatMap(({ changedIn, ...page }) => {
    const alternates = alternatesOf({ ...page, publicUrl, site }).map(
      ({ hrefLang, href }) => [hrefLang, escapeXml(href)] as const,
    );
    const links = alternates
      .map(([code, url]) => `<xhtml:link rel="alternate" hreflang="${code}" href="${url}"/>`)
      .join('');
    const modifiedIn = (code: string) =>
      changedIn && isLanguage(code) ? `<lastmod>${isoTime(changedIn(code))}</lastmod>` : '';
    return alternates
      .filter(([code]) => code !== 'x-default')
      .map(([code, url]) => `<url><loc>${url}</loc>${modifiedIn(code)}${links}</url>`);
  });
  return document('urlset', ' xmlns:xhtml="http://www.w3.org/1999/xhtml"', urls);
}

export function xmlResponse(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
}

function document(root: string, namespaces: string, lines: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespaces}>\n${lines.join('\n')}\n</${root}>\n`;
}
