import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, type Received } from '../exchange.ts';
import { SECRET, type Target } from '../target.ts';

/** Ways to write “the folder above”. */
const UP = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '%2e%2e%5c',
  '..%252f',
  '%252e%252e%252f',
  '%25252e%25252e%25252f',
  '..%c0%af',
  '%c0%ae%c0%ae/',
  '..%e0%80%af',
  '..%ef%bc%8f',
  '%uff0e%uff0e%u2215',
  '..;/',
  '....//',
  '..../',
  '.../',
  '..%00/',
  '..%0d/',
  './/..//',
  '/..',
  '//../',
  '.%2e/',
  '%2e./',
  '..%09/',
  '..%20/',
  '..//',
  '..\\/',
];
/** Files that a request must never return, and what they hold. */
const WANTED = [
  'etc/passwd',
  'proc/self/environ',
  'package.json',
  'keys/master.key',
  'journal.sqlite',
  'server.ts',
  '.env',
  '.git/config',
];
const CONTENT =
  /root:[^:]*:0:0:|^[\w-]{43}\n?$|"kty":|SQLite format 3|"workspaces"|startJournal|\[core\]|SECRET_KEY=|PATH=\/|DATA_DIR=/;

/** The beginnings of the paths. */
const ROOTS = [
  '/',
  '/assets/',
  '/icons/',
  '/storage/journal/',
  '/storage/',
  '/api/storage/journal/download?path=',
  '/api/storage/journal/original?path=',
  '/post/',
  '/api/db/journal/rest/v1/',
  '/sitemap/',
];

/** Attempts to read a file outside the folders that are served. */
export function pathTraversal(target: Target): AttackClass {
  const send = (what: string, path: string): Attempt => ({
    what,
    run: async () => judge(await target.send(target.attackers.author, { path })),
  });
  const climbs = pairs(ROOTS, pairs(UP, WANTED)).map(([root, [up, file]], index) => {
    const path = `${root}${up.repeat(1 + (index % 9))}${file}`;
    return send(path, path);
  });
  const direct = [
    '//etc/passwd',
    '/%2fetc/passwd',
    '/file:///etc/passwd',
    '/assets//etc/passwd',
    '/assets/%2fetc%2fpasswd',
    '/assets/C:%5cwindows%5cwin.ini',
    '/assets/.',
    '/assets/..',
    '/assets',
    '/assets/',
    '/icons/',
    '/.git/HEAD',
    '/.env',
    '/.npmrc',
    '/data/keys/master.key',
    '/keys/master.key',
    '/build/server/index.js',
    '/server/index.js',
    '/node_modules/hono/package.json',
    '/package-lock.json',
    '/@fs/etc/passwd',
    '/@fs/../etc/passwd',
    '/@id/x',
    '/__open-in-editor?file=/etc/passwd',
    '/__manifest?p=/',
    '/__manifest?p=../../etc/passwd',
    '/server-status',
    '/debug/pprof/',
    '/actuator/env',
    '/metrics',
    '/phpinfo.php',
    '/.well-known/../.env',
    '/.well-known/security.txt',
    '/storage/journal',
    '/storage/journal/',
    '/storage/journal/.incoming',
    '/storage/journal/%00',
    '/storage/journal/posts/',
    '/storage/journal/posts',
    '/storage/..%2f..%2fkeys/master.key',
    '/storage/%2e%2e/journal.sqlite',
    '/favicon.ico/../../package.json',
    '/favicon.ico/..%2f..%2fpackage.json',
    '/service-worker.js/../../../package.json',
    '/gallery/../../../etc/passwd',
    '/gallery.data/../../etc/passwd',
    '/healthz/../../etc/passwd',
  ].map((path) => send(path, path));
  return { name: 'paths to other files', attempts: [...climbs, ...direct], concurrency: 8 };
}

function judge(received: Received): string | undefined {
  const { text } = received;
  const found = CONTENT.exec(text)?.[0];
  if (found !== undefined) return `it shows ${JSON.stringify(found)}`;
  return text.includes(SECRET) ? 'it shows what only its owner may read' : faultOf(received);
}
