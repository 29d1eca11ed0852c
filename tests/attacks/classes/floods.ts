import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import { noisePng } from '../../e2e/noise-png.ts';
import type { AttackClass, Attempt } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import { formWith } from '../form.ts';
import type { Target } from '../target.ts';

interface Flood {
  what: string;
  /** The flood must be stopped by this number of calls. */
  within: number;
  /** Returns the call of this number. */
  sent(number: number, attacker: Author): Sent;
  signedIn?: boolean;
}

const REST = '/api/db/journal/rest/v1';
const PASSWORD = 'a password that is wrong';
const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body });
const signIn = (email: string) =>
  post('/api/auth/signin/email', { projectId: 'journal', email, password: PASSWORD });

/** The calls that cost something, each more often than anybody needs it. */
function buildFloods({ victim, belongings }: Target): Flood[] {
  const anonymous: Flood[] = [
    {
      what: 'wrong passwords with another forwarded address each time',
      within: 20,
      sent: (n) => ({
        ...signIn(victim.email),
        headers: { 'x-forwarded-for': `203.0.113.${n}`, 'x-real-ip': `1.1.1.${n}` },
      }),
    },
    {
      what: 'guesses of the ticket of a second step',
      within: 100,
      sent: (n) => post('/api/auth/signin/second-step', { ticket: `journal.${n}`, code: '000000' }),
    },
    {
      what: 'events of readers',
      within: 400,
      sent: () => post('/api/analytics/journal/log', { events: Array(100).fill({ type: 'page_view' }) }),
    },
    {
      what: 'messages in an open channel',
      within: 2_000,
      sent: () => post('/api/realtime/journal/publish', { channel: 'public:x', type: 'x', data: {} }),
    },
  ];
  const account = accountFloods(belongings.post).map((flood) => ({ ...flood, signedIn: true }));
  return [...anonymous, ...account];
}

/** The floods that need an account. */
function accountFloods(otherPost: string): Flood[] {
  return [
    {
      what: 'comments under a post of another',
      within: 150,
      sent: (n, { id }) =>
        post(`${REST}/post_comments`, { post_id: otherPost, user_id: id, content: `Flood ${n}` }),
    },
    {
      what: 'rows of a table',
      within: 1_500,
      sent: (_, { id }) =>
        post(`${REST}/journal_posts`, { ...buildPost({ id }), id: undefined, published: 0 }),
    },
    {
      what: 'bytes of rows',
      within: 30,
      sent: (_, { id }) =>
        post(
          `${REST}/journal_posts`,
          Array.from({ length: 40 }, () => ({
            ...buildPost({ id }),
            id: undefined,
            published: 0,
            content: 'x'.repeat(99_000),
          })),
        ),
    },
    {
      what: 'uploads',
      within: 300,
      sent: (n) =>
        formWith(
          '/api/storage/journal/upload',
          { path: `flood/${n}.png` },
          { name: 'x.png', bytes: noisePng(2, 2) },
        ),
    },
    {
      what: 'texts by AI',
      within: 200,
      sent: () => post('/api/ai/journal/text', { prompt: 'x', maxTokens: 5 }),
    },
    {
      what: 'fetches',
      within: 200,
      sent: () => post('/api/data/journal/fetch', { url: 'http://127.0.0.1:1/' }),
    },
    {
      what: 'mails to oneself',
      within: 100,
      sent: (_, { email }) =>
        post('/api/notifications/journal/email', { to: email, subject: 'x', text: 'x' }),
    },
    {
      what: 'mails with a code for a change',
      within: 40,
      sent: () => post('/api/auth/proof/send', {}),
    },
    {
      what: 'proofs for a deletion',
      within: 40,
      sent: () => ({ method: 'DELETE', path: '/api/auth/account', body: { proof: { password: PASSWORD } } }),
    },
  ];
}

/** Floods a server that has its usual limits and stands behind a proxy, each flood from an IP address of its own. */
export function floods(target: Target): AttackClass {
  const attempts = buildFloods(target).map(
    (flood, index): Attempt => ({
      what: flood.what,
      run: () => runFlood(target, flood, `203.0.113.${index + 1}`),
    }),
  );
  return { name: 'floods', attempts, longestMs: 120_000, findHarm: () => findHarm(target) };
}

/** Calls until the limit is met, and returns what is wrong with it. */
async function runFlood(
  target: Target,
  { within, sent, signedIn }: Flood,
  from: string,
): Promise<string | undefined> {
  const attacker = signedIn ? await signUp(target.server, 'Flo Flood') : target.victim;
  const AT_ONCE = 10;
  for (let number = 0; number < within; number += AT_ONCE) {
    const received = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, within - number) }, (_, offset) =>
        target.send(signedIn ? attacker : undefined, comingFrom(from, sent(number + offset, attacker))),
      ),
    );
    const fault = received.map((one) => faultOf(one)).find((one) => one !== undefined);
    if (fault !== undefined) return fault;
    const limited = received.find(({ status, text }) => status === 429 || /QUOTA_EXCEEDED/.test(text));
    if (limited) return judgeLimit(limited);
  }
  return `${within} calls were taken`;
}

/** Returns the request as the proxy passes it on: it appends the IP address of its client to what that has claimed. */
function comingFrom(ipAddress: string, { headers = {}, ...sent }: Sent): Sent {
  const claimed = headers['x-forwarded-for'];
  const forwarded = claimed === undefined ? ipAddress : `${String(claimed)}, ${ipAddress}`;
  return { ...sent, headers: { ...headers, 'x-forwarded-for': forwarded } };
}

/** A limit says when to come back, in a sentence. */
function judgeLimit({ status, headers, text }: Received): string | undefined {
  const seconds = Number(headers['retry-after']);
  if (status === 429 && !(seconds > 0)) return 'the 429 response does not say when to come back';
  const { error } = JSON.parse(text) as { error?: string };
  return error && /[.!]$/.test(error) ? undefined : `the error message is no sentence: ${text.slice(0, 80)}`;
}

/** The owner of the account that was attacked, and another reader, go on as if nothing were. */
async function findHarm(target: Target): Promise<string[]> {
  const { victim } = target;
  const harm: string[] = [];
  const me = await target.send(victim, comingFrom('198.51.100.1', { path: '/api/auth/me' }));
  if (me.status !== 200) harm.push(`the victim's session is ${me.status}`);
  const password = 'a long enough passphrase';
  const known = await target.send(
    undefined,
    comingFrom(
      '198.51.100.1',
      post('/api/auth/signin/email', { projectId: 'journal', email: victim.email, password }),
    ),
  );
  if (known.status !== 200) harm.push(`the victim's sign-in is ${known.status} ${known.text}`);
  const page = await target.send(undefined, { path: '/gallery' });
  if (page.status !== 200) harm.push(`the gallery is ${page.status}`);
  return harm;
}
