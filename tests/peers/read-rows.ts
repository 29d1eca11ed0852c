import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectForTest, openRowCounter } from '@fabrica/backend/testing/database/connect-for-test.ts';
import type { RecordedStatement } from '@fabrica/backend/testing/database/record-statements.ts';
import { WAITING_STATES } from '../../apps/journal/project/translations.ts';
import { type Author, PASSWORD, serviceRest, signUp } from './author.ts';
import { FILLED, filledSlug, filledTime, fillJournal } from './fill-journal.ts';
import type { RunningServer } from './start-server.ts';

/** An address, which has no blanks: Node splits its options at them. */
const RECORDER = new URL('../../packages/backend/testing/database/record-statements.ts', import.meta.url)
  .href;

/** The rows that a statement may read, of each of its tables, for each that it returns. */
const MAX_ROWS = 3;

/** The statements that have to read more, and why. */
const EXCEPTIONS: readonly (readonly [reason: string, statement: RegExp])[] = [
  ['a count reads the index entries that it counts', /^SELECT (count\(\*\)|l\.language, SUM\()/],
  ['a search looks through the texts (docs/decisions/search.md)', /post_search|FROM "searchable_posts"/],
  ['a search of the desk finds the names of all who write', /from "profiles" where "id" in \(select/],
  ['the index of the sitemap counts the posts of one part at a time, in an index', /OFFSET CAST/],
  [
    'what waits in an author’s own posts is looked for in all that waits',
    /COALESCE\(d\.user_id, p\.user_id\) =/,
  ],
  [
    'drafts that wait are looked for in all that waits, once nothing published waits any more',
    /AND NOT COALESCE\(p\.published/,
  ],
  ['the catalog of PostgreSQL, or a message to its other connections', /\bpg_[a-z]+/],
];

const GUESSES = 10_000;

/** Records the statements of a server, which is started with these settings. */
export interface StatementRecorder {
  settings: Readonly<Record<string, string>>;
  /** Forgets what was recorded so far. */
  clear(): void;
  /** Returns each statement that reads, as it was sent last. */
  read(): RecordedStatement[];
  close(): void;
}

export function recordStatements(): StatementRecorder {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-statements-'));
  const file = join(folder, 'statements');
  writeFileSync(file, '');
  return {
    settings: { NODE_OPTIONS: `--import=${RECORDER}`, RECORDED_STATEMENTS: file },
    clear: () => truncateSync(file),
    read() {
      const statements = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as RecordedStatement);
      const reading = statements.filter(({ sql }) => /^\s*(SELECT|WITH)\b/i.test(sql));
      return [...new Map(reading.map((statement) => [statement.sql, statement])).values()];
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Fills a server's journal with posts, sends the requests of its pages, its lists and its desk, and runs each statement that they caused
 * once more. Returns those that read too many rows, and the number of all.
 */
export async function findWideReads(
  server: RunningServer,
  recorder: StatementRecorder,
  posts: number,
): Promise<{ statements: number; wide: string[] }> {
  const writer = await signUp(server, 'Dr Ada Byron');
  const template = JSON.parse(await send(server, writer, 'POST', `${DESK}/posts`, { document: DOCUMENT })).id;
  await fillJournal(server.settings, { posts, author: writer.id, template });
  return askAndCount(server, recorder, { posts, writer, template });
}

/** A journal that was filled. */
interface Filled {
  posts: number;
  /** The author of every hundredth post. */
  writer: Author;
  /** The id of the working copy whose document the others have. */
  template: string;
}

/** Sends the requests to a filled journal, and counts. */
async function askAndCount(
  server: RunningServer,
  recorder: StatementRecorder,
  { posts, writer, template }: Filled,
): Promise<{ statements: number; wide: string[] }> {
  // To add a million posts takes longer than a token is valid.
  const author = await signInAgain(server, writer);
  const editor = await signUpEditor(server);
  // The server has to learn of the rows that it has not written itself.
  await serviceRest(server)('PATCH', `journal_posts?id=eq.${FILLED}1`, { title: 'Of the heart' });
  await addGuesses(server, author);
  recorder.clear();
  await signInAgain(server, author);
  for (const path of PAGES) await send(server, undefined, 'GET', path);
  const index = await send(server, undefined, 'GET', '/sitemap.xml');
  const parts = index.match(/\/sitemap\/posts-[^<]*/g) ?? [];
  for (const part of [0, Math.floor(parts.length / 2), parts.length - 1])
    await send(server, undefined, 'GET', parts[part] ?? '');
  for (const path of lists(author)) {
    for (const caller of [undefined, author, editor]) await send(server, caller, 'GET', path);
  }
  for (const path of deskLists(template)) {
    for (const caller of [author, editor]) await readPages(server, caller, `${DESK}${path}`);
  }
  for (const path of EDITORS) await send(server, editor, 'GET', path);
  for (const [method, path, body] of writes(author)) await send(server, author, method, path, body);
  const statements = recorder.read();
  const counter = await openRowCounter(server.settings, 'journal', { small: posts < 500_000 });
  const wide: string[] = [];
  try {
    for (const statement of statements) {
      if (EXCEPTIONS.some(([, pattern]) => pattern.test(statement.sql))) continue;
      const { read, returned, plan } = await counter.count(statement);
      // A page reads one row more than it has, and a statement that finds nothing may look at a row or two.
      if (read <= MAX_ROWS * tablesOf(statement.sql) * (returned + 1)) continue;
      wide.push(`${read} rows read for ${returned}:\n${statement.sql}\n${plan}`);
    }
  } finally {
    await counter.close();
  }
  return { statements: statements.length, wide };
}

/** Returns how many tables a statement reads: a row that is joined from three is three rows read. */
const tablesOf = (sql: string): number => Math.max(1, sql.match(/\b(?:FROM|JOIN)\b/gi)?.length ?? 0);

async function signUpEditor(server: RunningServer): Promise<Author> {
  const editor = await signUp(server, 'Dr Jon Vale');
  const connection = await connectForTest(server.settings, 'journal');
  try {
    await connection.run([`UPDATE users SET role = 'editor' WHERE id = '${editor.id}'`]);
  } finally {
    await connection.close();
  }
  return signInAgain(server, editor);
}

/** Adds guesses at the password of an account, as an hour of an attack leaves them in the audit log. */
async function addGuesses(server: RunningServer, { id }: Author): Promise<void> {
  const connection = await connectForTest(server.settings, 'journal');
  try {
    await connection.run([
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${GUESSES}) INSERT INTO audit_log (id, at, event, user_id, address, device) SELECT 'guess-' || i, i, 'sign-in-failed', '${id}', '10.0.0.' || i, 'Firefox' FROM n`,
    ]);
  } finally {
    await connection.close();
  }
}

/** Returns the account with a new token, which says its present role. */
async function signInAgain(server: RunningServer, account: Author): Promise<Author> {
  const credentials = { projectId: 'journal', email: account.email, password: PASSWORD };
  const session = await send(server, undefined, 'POST', '/api/auth/signin/email', credentials);
  return { ...account, token: JSON.parse(session).access_token };
}

/** The pages of a list that are read: a statement that begins at the first one each time reads five times what it returns. */
const PAGES_READ = 5;

/** Reads a list of the desk page by page, as long as there are more. */
async function readPages(server: RunningServer, caller: Author, path: string): Promise<void> {
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES_READ && cursor !== null; page += 1) {
    const from = cursor ? `${path.includes('?') ? '&' : '?'}cursor=${cursor}` : '';
    const found: { cursor?: string | null } = JSON.parse(await send(server, caller, 'GET', path + from));
    cursor = found.cursor ?? null;
  }
}

async function send(
  { url }: RunningServer,
  caller: Author | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const request = {
    method,
    headers: {
      'content-type': 'application/json',
      ...(COUNTED.test(path) && { prefer: 'count=exact' }),
      ...(caller && { authorization: `Bearer ${caller.token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  let response = await fetch(url + path, request);
  // A busy machine may not read a large page in the time that a statement has. The next time, its rows are in memory.
  for (let tries = 1; response.status === 503 && tries < 10; tries += 1)
    response = await fetch(url + path, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** The lists that pages count: a page of comments, and counts themselves. */
const COUNTED = /limit=0|post_comments\?post_id/;

const DESK = '/api/desk/journal';
const TABLES = '/api/db/journal/rest/v1';
const CARD =
  'id,title,title_en,title_es,title_fr,title_de,image_url,image_width,image_height,image_placeholder,created_at,language';

const DOCUMENT = {
  title: 'On the valves',
  content: 'They open and close.',
  contentFormat: 'markdown',
  language: 'en',
  translations: { de: { title: 'Von den Klappen', content: 'Sie öffnen und schließen sich.' } },
  cover: { url: '/storage/journal/posts/1.png' },
  slugs: {},
  byline: [],
  sources: [],
};

/** The pages that have rows of the database on them. */
const PAGES = [
  '/',
  '/gallery',
  '/gallery?lang=de',
  '/gallery?q=chamber+77',
  `/post/${FILLED}77`,
  `/post/${filledSlug('en', 78)}`,
  `/post/${FILLED}79?lang=de`,
  '/about-me',
  '/feed.xml',
  '/feed.xml?lang=de',
  '/sitemap/pages.xml',
  '/manifest.webmanifest',
];

/** The lists that pages in the browser ask for (docs/spec/product.md section 7), and those that they page and count. */
const lists = ({ id }: Author) =>
  [
    `journal_posts?select=${CARD},cover&published=eq.1&order=created_at.desc&limit=24`,
    `journal_posts?select=${CARD},cover&published=eq.1&created_at=lt.${filledTime(9_000)}&order=created_at.desc&limit=24`,
    `journal_posts?select=id&published=eq.1&created_at=lte.${filledTime(9_000)}&limit=0`,
    `journal_posts?id=eq.${FILLED}77`,
    `journal_posts?select=updated_at&id=eq.${FILLED}77&limit=1`,
    `journal_posts?select=id,title&id=in.(${FILLED}77,${FILLED}78,${FILLED}79)`,
    `post_likes?post_id=eq.${FILLED}77`,
    `post_likes?select=id&post_id=eq.${FILLED}77&user_id=eq.${id}&limit=1`,
    `post_comments?post_id=eq.${FILLED}77&order=created_at.desc&limit=20`,
    `post_comments?id=in.(comment_1,comment_2)&limit=100`,
    `comment_likes?select=comment_id,user_id&comment_id=in.(comment_1,comment_2,comment_3)&limit=1000`,
    `comment_likes?select=id&comment_id=eq.comment_1&user_id=eq.${id}&limit=1`,
    `profiles?id=eq.${id}`,
    `post_slugs?post_id=in.(${FILLED}77,${FILLED}78)&limit=10000`,
    `post_slugs?id=eq.${filledSlug('en', 77)}`,
    `searchable_posts?select=${CARD}&published=eq.1&text_de=like.*heart*&order=created_at.desc&limit=24`,
  ].map((query) => `${TABLES}/${query}`);

const deskLists = (written: string) => [
  '/posts?limit=24',
  '/posts?limit=24&state=draft',
  '/posts?limit=24&state=published',
  '/posts?limit=24&state=unpublished',
  '/posts?limit=24&language=de',
  '/posts?limit=24&search=heart',
  `/posts/${FILLED}103`,
  `/posts/${FILLED}103/revisions`,
  `/posts/${written}/translations`,
  `/posts/${written}/translations/de`,
  '/accounts?name=Ada',
  '/translations/queue',
  '/translations/queue?language=de',
  ...WAITING_STATES.flatMap((state) => [
    `/translations/queue?state=${state}`,
    `/translations/queue?state=${state}&language=de`,
  ]),
  '/translations/terms',
];

/** What editors alone read. */
const EDITORS = [`${DESK}/translations/reports`, '/api/analytics/journal/insights'];

const writes = ({ id: user_id }: Author): [method: string, path: string, body?: unknown][] => {
  const post_id = `${FILLED}500`;
  return [
    ['POST', `${TABLES}/post_likes`, { post_id, user_id }],
    ['POST', `${TABLES}/post_comments`, { post_id, user_id, content: 'So it is.' }],
    ['DELETE', `${TABLES}/post_likes?post_id=eq.${post_id}&user_id=eq.${user_id}`],
  ];
};
