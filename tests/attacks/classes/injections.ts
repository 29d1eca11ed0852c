import { payloads } from '@fabrica/backend/testing/database/injection-payloads.ts';
import { buildPost } from '@fabrica/test-peers/author.ts';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import { formWith } from '../form.ts';
import { SECRET, type Target } from '../target.ts';

const REST = '/api/db/journal/rest/v1';
/** Texts that other languages than SQL read: shells, templates, paths of objects, LDAP, XPath, log lines. */
const OTHERS = [
  '$(sleep 9)',
  '`sleep 9`',
  '| sleep 9',
  '; sleep 9 #',
  '&& sleep 9',
  '{{7*7}}',
  '\x24{7*7}',
  '#{7*7}',
  '<%= 7*7 %>',
  '\x24{jndi:ldap://127.0.0.1/x}',
  '%{(#a)}',
  '*)(uid=*))(|(uid=*',
  "' or count(/*)=1 or '",
  '(a+)+$',
  `${'a'.repeat(5_000)}!`,
  '%s%s%s%n',
  '\u0000',
  '\uD800',
  '\u202Etxt',
  '\r\nset-cookie: a=b',
  '%0d%0aset-cookie:%20a=b',
  '\u560d\u560aset-cookie: a=b',
  '{"constructor":{"prototype":{"x":1}}}',
  '__proto__[x]=1',
  '=cmd|calc!A0',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  '9'.repeat(400),
  '-0',
  '1e999',
  'NaN',
  '[[]]',
  '\u200b',
  'ﷺ'.repeat(200),
  `${'['.repeat(2_000)}`,
  `a${'\u0301'.repeat(500)}`,
];
const PAYLOADS = [...payloads, ...OTHERS];

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

type InjectionPoint = (payload: string, target: Target) => Sent;

/** The points at which a text of a stranger gets in. */
const INJECTION_POINTS: Readonly<Record<string, InjectionPoint>> = {
  'a table': (text) => ({ path: `${REST}/${encode(text)}?select=id` }),
  'a column of a filter': (text) => ({ path: `${REST}/journal_posts?${encode(text)}=eq.1` }),
  'a value of a filter': (text) => ({ path: `${REST}/journal_posts?id=eq.${encode(text)}` }),
  'a pattern': (text) => ({ path: `${REST}/journal_posts?title=ilike.${encode(text)}` }),
  'a list': (text) => ({ path: `${REST}/journal_posts?id=in.(${encode(text)})` }),
  'a group': (text) => ({ path: `${REST}/journal_posts?or=(id.eq.${encode(text)},published.eq.0)` }),
  'an operator': (text) => ({ path: `${REST}/journal_posts?id=${encode(text)}.1` }),
  'a selection': (text) => ({ path: `${REST}/journal_posts?select=${encode(text)}` }),
  'an order': (text) => ({ path: `${REST}/journal_posts?order=${encode(text)}` }),
  'a limit': (text) => ({ path: `${REST}/journal_posts?limit=${encode(text)}` }),
  'a cursor': (text) => ({ path: `${REST}/journal_posts?cursor=${encode(text)}` }),
  'a conflict target': (text, { attackers }) => ({
    method: 'POST',
    path: `${REST}/post_likes?on_conflict=${encode(text)}`,
    body: { user_id: attackers.author?.id, post_id: 'none' },
  }),
  'the name of a column': (text, { attackers }) => ({
    method: 'POST',
    path: `${REST}/post_likes`,
    body: { user_id: attackers.author?.id, post_id: 'none', [text]: 1 },
  }),
  'the id of a row': (text, { attackers }) => ({
    method: 'POST',
    path: `${REST}/post_likes`,
    body: { id: text, user_id: attackers.author?.id, post_id: 'none' },
  }),
  'the title of a draft': (text, { attackers }) => ({
    method: 'POST',
    path: `${REST}/journal_posts`,
    body: buildPost({ id: attackers.author?.id ?? '' }, { title: text, published: 0 }),
  }),
  'a project': (text) => ({ path: `/api/db/${encode(text)}/rest/v1/journal_posts` }),
  'an e-mail of a sign-in': (text) => ({
    method: 'POST',
    path: '/api/auth/signin/email',
    body: { projectId: 'journal', email: text, password: 'a long enough passphrase' },
  }),
  'a refresh token': (text) => ({
    method: 'POST',
    path: '/api/auth/refresh',
    body: { refresh_token: text },
  }),
  'a token of a mail': (text) => ({
    method: 'POST',
    path: '/api/auth/email/verify',
    body: { projectId: 'journal', token: text },
  }),
  'a code of a mail': (text, { victim }) => ({
    method: 'POST',
    path: '/api/auth/signin/magic/verify',
    body: { projectId: 'journal', email: victim.email, code: text },
  }),
  'a session': (text) => ({ method: 'DELETE', path: `/api/auth/sessions/${encode(text)}` }),
  'a display name': (text) => ({ method: 'PATCH', path: '/api/auth/me', body: { displayName: text } }),
  'a file': (text) => ({ path: `/api/storage/journal/download?path=${encode(text)}` }),
  'the name of a download': (text, { belongings }) => ({
    path: `/storage/journal/${belongings.file}?download=${encode(text)}`,
  }),
  'a removed file': (text) => ({
    method: 'DELETE',
    path: '/api/storage/journal/remove',
    body: { paths: [text] },
  }),
  'the name of a document': (text) =>
    formWith(
      '/api/data/journal/extract-from-blob',
      {},
      { name: text.replace(/[\r\n"\0]/g, '_'), bytes: 'x' },
    ),
  'a search of the gallery': (text) => ({ path: `/gallery?search=${encode(text)}` }),
  'a cursor of the gallery': (text) => ({ path: `/gallery?cursor=${encode(text)}` }),
  'a page of a post': (text) => ({ path: `/post/${encode(text)}` }),
  'a language': (text) => ({ path: `/gallery?lang=${encode(text)}` }),
  'a realtime channel': (text) => ({ path: `/api/realtime/journal/messages?channel=${encode(text)}` }),
  'an event': (text) => ({
    method: 'POST',
    path: '/api/analytics/journal/log',
    body: { events: [{ type: text || 'x', pathname: text, referrer: text, [text || 'x']: text }] },
  }),
  'a range of insights': (text) => ({ path: `/api/analytics/journal/insights?from=${encode(text)}` }),
  'a prompt': (text) => ({ method: 'POST', path: '/api/ai/journal/text', body: { prompt: text } }),
  'a subject of a mail': (text, { attackers }) => ({
    method: 'POST',
    path: '/api/notifications/journal/email',
    body: { to: attackers.author?.email, subject: text, text: 'x' },
  }),
  'the Accept header': (text) => ({
    path: `${REST}/journal_posts?select=id`,
    headers: { accept: printable(text), prefer: printable(text), 'accept-language': printable(text) },
  }),
};

/** Attempts to have a text read as something else: SQL, a shell's line, a template, a header. */
export function injections(target: Target): AttackClass {
  const attempts = pairs(Object.entries(INJECTION_POINTS), PAYLOADS).map(
    ([[place, sent], payload]): Attempt => ({
      what: `${JSON.stringify(payload.slice(0, 40))} as ${place}`,
      run: async () => judge(await target.send(target.attackers.author, sent(payload, target))),
    }),
  );
  return { name: 'injected texts', attempts, concurrency: 8, findHarm: () => findHarm(target) };
}

function judge(received: Received): string | undefined {
  const { text, headers } = received;
  if (text.includes(SECRET)) return 'it shows what only its owner may read';
  if (text.includes('root:x:')) return 'it shows a file of the machine';
  const cookies = [headers['set-cookie'] ?? []].flat();
  if (cookies.some((cookie) => cookie.startsWith('a='))) return 'it set a header';
  // The slowest of these is a search: a statement that sleeps or tries all ways takes longer.
  return faultOf(received, 8_000);
}

function printable(text: string): string {
  return text.replace(/[^ -~]/g, '_').slice(0, 2_000);
}

async function findHarm({ service, victim, belongings }: Target): Promise<string[]> {
  const response = await service('GET', `journal_posts?user_id=eq.${victim.id}&select=id,title&order=id`);
  const rows = await response.text();
  return [belongings.post, belongings.draft].every((id) => rows.includes(id))
    ? []
    : [`the victim's posts are ${rows}`];
}
