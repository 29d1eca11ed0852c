import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import fc from 'fast-check';
import { z } from 'zod';
import { tables } from '../../../apps/journal/project/tables.ts';
import type { AttackClass, Attempt } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import { ROUTES, type Route } from '../fuzzed-routes.ts';
import {
  arbitraryOf,
  hostileText,
  hostileValue,
  type JsonSchema,
  mutated,
  textOf,
} from '../hostile-values.ts';
import type { Target } from '../target.ts';

/** Requests for each call and table. */
const RUNS = 70;
/** The callers with an account of their own, each of which costs a sign-up. */
const OWN_ACCOUNT_RUNS = 12;
const SEED = 20_261;

/** Sends values that nearly fit the schemas, as somebody who stays signed in, and looks for failures of ours. */
export async function fuzz(target: Target): Promise<AttackClass> {
  const author = await signUp(target.server, 'Fiona Fuzz');
  const session = new StayingSession(target, author);
  const own = await createDeskPost(target, author);
  const attempts = [
    ...ROUTES.flatMap((route, index) =>
      routeAttempts(
        target,
        session,
        { ...route, path: withOwn(route.path, own) },
        { seed: SEED + index, runs: RUNS },
      ),
    ),
    ...rowAttempts(target, session),
  ];
  return { name: 'fuzzed calls', attempts, concurrency: 6, findHarm: async () => session.faults() };
}

interface DeskPost {
  post: string;
  segment: string;
}

/** Creates a post at the desk, so that calls on posts, versions and segments reach what reads their bodies. */
export async function createDeskPost({ send }: Target, author: Author): Promise<DeskPost> {
  const document = { title: 'Heart', content: 'The heart is a muscle.', language: 'en' };
  const created = await send(author, {
    ...{ method: 'POST', path: '/api/desk/journal/posts', body: textOf({ document }) },
    headers: { 'content-type': 'application/json' },
  });
  const post = String(JSON.parse(created.text).id);
  const read = await send(author, { path: `/api/desk/journal/posts/${post}/translations/de` });
  return { post, segment: String(JSON.parse(read.text).segments[0].id) };
}

export function withOwn(path: string, { post, segment }: DeskPost): string {
  return path.replace('{post}', post).replace('{segment}', segment);
}

/** Returns so many requests to a call by its schema, of which those that end a session are few. */
export function routeAttempts(
  target: Target,
  session: StayingSession,
  route: Route,
  { seed, runs }: { seed: number; runs: number },
): Attempt[] {
  const { method, path, schema, isQuery, endsSession, asService, asEditor } = route;
  const values = fc.sample(
    mutated(arbitraryOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)),
    {
      numRuns: endsSession ? OWN_ACCOUNT_RUNS : runs,
      seed,
    },
  );
  return values.map((value) => {
    const sent: Sent = isQuery
      ? { method, path: `${path}?${queryOf(value)}` }
      : {
          method,
          path,
          body: textOf(value),
          headers: { 'content-type': 'application/json', 'if-match': '"1"' },
        };
    return {
      what: `${method} ${path} ${String(sent.body ?? sent.path).slice(0, 160)}`,
      run: async () => {
        if (asService) return asServiceRole(target, sent);
        if (asEditor) return faultOf(await target.send(target.attackers.admin, sent), 15_000);
        if (!endsSession) return session.send(sent);
        return faultOf(await target.send(await signUp(target.server), sent));
      },
    };
  });
}

/**
 * Returns writes of rows with hostile values in each column, and reads with hostile parameters. Those of tables that the
 * account may not write are the service role's, which no policy stops before the values are looked at.
 */
function rowAttempts(target: Target, session: StayingSession): Attempt[] {
  return Object.entries(tables).flatMap(([table, { columns }], index) => {
    const path = `/api/db/journal/rest/v1/${table}`;
    const columnNames = Object.keys(columns);
    const isOwn = ['journal_posts', 'post_likes', 'post_comments', 'comment_likes'].includes(table);
    const fit = Object.fromEntries(
      Object.entries(fitting(session.id)).filter(([name]) => columnNames.includes(name)),
    );
    const change = fc
      .tuple(fc.constantFrom(...columnNames), hostileValue)
      .map(([column, value]) => ({ [column]: value }));
    const row = change.map((changed) => ({ ...fit, ...changed }));
    const body = fc.oneof({ weight: 4, arbitrary: row }, fc.array(row, { maxLength: 4 }), hostileValue);
    const operator = fc.constantFrom(
      'eq',
      'neq',
      'gt',
      'lte',
      'like',
      'ilike',
      'is',
      'in',
      'not',
      'not.eq',
      'x',
    );
    const filter = fc
      .tuple(fc.constantFrom(...columnNames), operator, hostileText)
      .map(([column, name, value]): [string, string] => [
        column,
        `${name}.${name === 'in' ? `(${value})` : value}`,
      ]);
    const parameter = fc.tuple(
      fc.constantFrom('select', 'order', 'limit', 'offset', 'cursor', 'or', 'on_conflict', 'columns'),
      fc.oneof(
        hostileText,
        fc.constantFrom(...columnNames, '*', 'id.desc', '1', `(id.eq.1,${columnNames[0]}.gt.x)`),
      ),
    );
    const parameters = fc.array(fc.oneof(filter, filter, parameter), { minLength: 1, maxLength: 3 });
    const sample = <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.sample(arbitrary, { numRuns: RUNS, seed: SEED + index });
    const attempt = (sent: Sent): Attempt => ({
      what: `${sent.method} ${sent.path} ${String(sent.body ?? '').slice(0, 120)}`,
      run: () => (isOwn ? session.send(sent) : asServiceRole(target, sent)),
    });
    const headers = { 'content-type': 'application/json' };
    return [
      ...sample(body).map((value) => attempt({ method: 'POST', path, body: textOf(value), headers })),
      ...sample(change).map((value) => {
        const sent = { method: 'PATCH', path: `${path}?id=eq.none`, body: textOf(value), headers };
        return { ...attempt(sent), run: () => asServiceRole(target, sent) };
      }),
      ...sample(parameters).map((some) =>
        attempt({ method: 'GET', path: `${path}?${queryOf(Object.fromEntries(some))}` }),
      ),
    ];
  });
}

/** Sends a request with the secret key, which passes all policies. */
async function asServiceRole(
  { secretKey, send }: Target,
  { headers, ...sent }: Sent,
): Promise<string | undefined> {
  const authorization = `Bearer ${secretKey}`;
  return faultOf(await send(undefined, { ...sent, headers: { ...headers, authorization } }), 15_000);
}

/** Returns values for the columns that rows must have. */
function fitting(userId: string): Record<string, unknown> {
  return { ...buildPost({ id: userId }), published: 0, id: undefined, post_id: 'none', comment_id: 'none' };
}

/** Signs in again when a session has ended, so that the requests reach what is behind the sign-in. */
export class StayingSession {
  readonly #target: Target;
  #author: Author;
  #sent = 0;
  #signedOut = 0;

  constructor(target: Target, author: Author) {
    this.#target = target;
    this.#author = author;
  }

  get id(): string {
    return this.#author.id;
  }

  async send(
    sent: Sent,
    judge: (received: Received) => string | undefined = () => undefined,
  ): Promise<string | undefined> {
    const author = this.#author;
    const received = await this.#target.send(author, sent);
    this.#sent += 1;
    if (received.status === 401 && !(await this.#isSignedIn(author))) {
      this.#signedOut += 1;
      if (author === this.#author) this.#author = await signUp(this.#target.server, 'Fiona Fuzz');
    }
    return judge(received) ?? faultOf(received, 15_000);
  }

  async #isSignedIn(author: Author): Promise<boolean> {
    const { status }: Received = await this.#target.send(author, { path: '/api/auth/me' });
    return status === 200;
  }

  /** Returns that too many requests were those of somebody without a session. */
  faults(): string[] {
    return this.#signedOut > this.#sent / 100
      ? [`${this.#signedOut} of ${this.#sent} requests found the session ended`]
      : [];
  }
}

function queryOf(value: unknown): string {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [['x', value]];
  return entries
    .map(([name, text]) => [name, typeof text === 'string' ? text : (JSON.stringify(text) ?? '')])
    .map((pair) => pair.map((text) => encodeURIComponent(String(text).toWellFormed())).join('='))
    .join('&');
}
