import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import {
  buildBook,
  buildUser,
  library,
  libraryTables,
} from '@fabrica/backend/testing/database/build-test-library.ts';
import { payloads } from '@fabrica/backend/testing/database/injection-payloads.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let db: TestDatabase;
let ada: SendTestRequest;
let before: unknown;

const { books } = libraryTables;
const definition = {
  ...library,
  tables: {
    ...libraryTables,
    books: {
      ...books,
      columns: { ...books?.columns, author: { type: 'text', max: 400, nullable: true } as const },
    },
  },
} as typeof library;

beforeAll(async () => {
  db = await openTestDatabase(definition);
  ada = db.as(buildUser('ada'));
  const rows = ['a', 'b', 'c'].map((id) =>
    buildBook({ id, title: `Book ${id}`, author: 'Vesalius', pages: 10 }),
  );
  await db.service('POST', 'books', { body: rows });
  await db.service('POST', 'loans', { body: { id: 'l', book_id: 'a', user_id: 'ada' } });
  before = await everything();
  db.events.length = 0;
});

afterAll(() => db.close());

async function everything(): Promise<unknown> {
  const tables = ['books', 'loans', 'notes', 'titles'].map(async (name) => {
    const { status, body } = await db.service('GET', `${name}?order=id`);
    return [name, status, body];
  });
  return Promise.all(tables);
}

const quoted = (payload: string) => `"${payload.replace(/["\\]/g, '\\$&')}"`;
const encode = (text: string) => encodeURIComponent(text);
const book = { user_id: 'ada', title: 'New' };

/** The parts of a request by name, with the request that has a payload there. */
const targets: Record<string, (send: SendTestRequest, payload: string) => ReturnType<SendTestRequest>> = {
  'the table': (send, payload) => send('GET', `${encode(payload)}?limit=1`),
  'a written table': (send, payload) => send('DELETE', `${encode(payload)}?id=eq.a`),
  'a column': (send, payload) => send('GET', `books?${encode(payload)}=eq.1`),
  'an operator': (send, payload) => send('GET', `books?title=${encode(payload)}`),
  'an operator with a value': (send, payload) => send('GET', `books?title=${encode(`${payload}.1`)}`),
  'a negated operator': (send, payload) =>
    send('GET', `books?title=${encode(`not.${payload}.1`)}&title=eq.x`),
  'a text': (send, payload) => send('GET', `books?author=eq.${encode(payload)}`),
  'a text of two': (send, payload) =>
    send('GET', `books?author=eq.${encode(payload)}&title=eq.${encode(payload)}`),
  'the end of a text': (send, payload) => send('GET', `books?author=eq.${encode(`Vesalius${payload}`)}`),
  'a pattern': (send, payload) => send('GET', `books?author=like.${encode(`x${payload}`)}`),
  'a pattern without case': (send, payload) => send('GET', `books?author=ilike.${encode(`É${payload}`)}`),
  'a number': (send, payload) => send('GET', `books?pages=eq.${encode(payload)}`),
  'the end of a number': (send, payload) => send('GET', `books?pages=eq.${encode(`7 ${payload}`)}`),
  is: (send, payload) => send('GET', `books?title=is.${encode(payload)}&title=eq.x`),
  'a list': (send, payload) => send('GET', `books?author=in.(${encode(payload)})`),
  'a quoted list': (send, payload) => send('GET', `books?author=in.(${encode(quoted(payload))})`),
  'a list of numbers': (send, payload) => send('GET', `books?pages=in.(7,${encode(payload)})`),
  'a group': (send, payload) => send('GET', `books?or=(${encode(payload)})`),
  'a bare group': (send, payload) => send('GET', `books?or=${encode(payload)}`),
  'a group’s column': (send, payload) => send('GET', `books?or=(${encode(payload)}.eq.1)`),
  'a group’s operator': (send, payload) => send('GET', `books?or=(title.${encode(payload)}.1)`),
  'a group’s value': (send, payload) =>
    send('GET', `books?and=(author.eq.${encode(quoted(payload))},id.eq.a)`),
  'a group’s kind': (send, payload) => send('GET', `books?and=(${encode(payload)}(id.eq.a))`),
  'the selection': (send, payload) => send('GET', `books?select=${encode(payload)}`),
  'the end of the selection': (send, payload) => send('GET', `books?select=id,${encode(payload)}`),
  'the order': (send, payload) => send('GET', `books?order=${encode(payload)}`),
  'the direction': (send, payload) => send('GET', `books?order=id.${encode(payload)}`),
  'where nulls stand': (send, payload) => send('GET', `books?order=id.asc.${encode(payload)}`),
  'the limit': (send, payload) => send('GET', `books?limit=${encode(payload)}`),
  'the offset': (send, payload) => send('GET', `books?offset=${encode(payload)}`),
  'the cursor': (send, payload) => send('GET', `books?cursor=${encode(payload)}`),
  'a value of the cursor': (send, payload) => {
    const cursor = Buffer.from(JSON.stringify(['id.false.false', `z${payload}`])).toString('base64url');
    return send('GET', `books?cursor=${cursor}`);
  },
  on_conflict: (send, payload) => send('POST', `books?on_conflict=${encode(payload)}`, { body: book }),
  columns: (send, payload) => send('POST', `books?columns=${encode(payload)}`, { body: [book] }),
  'the selection of a write': (send, payload) =>
    send('POST', `books?select=${encode(payload)}`, {
      body: book,
      headers: { prefer: 'return=representation' },
    }),
  'the order of a write': (send, payload) => send('POST', `books?order=${encode(payload)}`, { body: book }),
  'a name in a row': (send, payload) => send('POST', 'books', { body: { ...book, [payload]: 'x' } }),
  'a name in a change': (send, payload) => send('PATCH', 'books?id=eq.a', { body: { [payload]: 'x' } }),
  'a number in a row': (send, payload) => send('POST', 'books', { body: { ...book, pages: payload } }),
  'the id of a row': (send, payload) => send('POST', 'books', { body: { ...book, id: `${payload} ` } }),
  'the filter of a change': (send, payload) =>
    send('PATCH', `books?author=eq.${encode(payload)}`, { body: { title: 'owned' } }),
  'the filter of a deletion': (send, payload) =>
    send('DELETE', `books?author=in.(${encode(quoted(payload))})`),
  'a column of a deletion': (send, payload) => send('DELETE', `books?${encode(payload)}=neq.x`),
  'the limit of a deletion': (send, payload) => send('DELETE', `books?id=eq.x&limit=${encode(payload)}`),
  'the body': (send, payload) => send('POST', 'books', { body: `${payload} ` }),
};

/** Tells whether a payload is a valid word of the language, or a body without rows. */
const isValid = (target: string, payload: string) =>
  (target === 'is' && /^null$/i.test(payload)) || (target === 'the body' && payload === '[]');

test.each(Object.keys(targets))('an injection attempt is a value or an error in %s', async (target) => {
  const request = targets[target];
  expect(payloads.length).toBeGreaterThanOrEqual(100);
  for (const send of [db.service, ada]) {
    for (const payload of payloads) {
      if (isValid(target, payload)) continue;
      const response = await request?.(send, payload);
      const facts = JSON.stringify({ target, payload, status: response?.status, body: response?.body });
      const nothing = response?.status === 200 && Array.isArray(response.body) && response.body.length === 0;
      const written = response?.status === 204;
      expect(nothing || written || [400, 403, 404].includes(Number(response?.status)), facts).toBe(true);
      // The message may quote the payload, and contains nothing of the engine.
      const sentence = String(response?.body?.error ?? '').replace(/".*"/s, '');
      expect(sentence, facts).not.toMatch(/sqlite|postgres|syntax error|near|constraint|t0/i);
    }
  }
  expect(db.events.splice(0)).toEqual([]);
  expect(await everything()).toEqual(before);
});

test('an injection attempt in a header is ignored or refused', async () => {
  // A header cannot contain other characters.
  for (const payload of payloads.filter((text) => /^[\x20-\x7e]+$/.test(text))) {
    for (const [name, expected] of [
      ['prefer', 200],
      ['accept', 406],
      ['accept-profile', 406],
      ['content-profile', 406],
      ['range', 200],
    ] as const) {
      const { status } = await ada('GET', 'books?limit=1', { headers: { [name]: payload } });
      expect(status, `${name}: ${payload}`).toBe(expected);
    }
    // A payload that only separates preferences names none.
    const asPreference = /^[\s,;]+$/.test(payload) ? 204 : 400;
    for (const [prefer, expected] of [
      [`handling=strict, ${payload}`, asPreference],
      [`max-affected=${payload}, handling=strict`, 400],
    ] as const) {
      const { status } = await ada('DELETE', 'books?id=eq.nobody', { headers: { prefer } });
      expect(status, prefer).toBe(expected);
    }
    const typed = await ada('POST', 'books', { body: book, headers: { 'content-type': `text/${payload}` } });
    expect(typed.status, payload).toBe(415);
  }
  expect(db.events.splice(0)).toEqual([]);
  expect(await everything()).toEqual(before);
});

test('injection attempts as values of a row are stored and found as they are, and change nothing else', async () => {
  const stored = payloads.filter((payload) => !payload.includes('\0'));
  for (const [index, author] of stored.entries()) {
    const id = `x${index}`;
    expect((await ada('POST', 'books', { body: { ...book, id, author } })).status).toBe(201);
    const found = await ada('GET', `books?select=author&id=eq.${id}&author=in.(${encode(quoted(author))})`);
    expect(found.body).toEqual([{ author }]);
    const change = { author: `${author} ${author}` };
    expect((await ada('PATCH', `books?id=eq.${id}`, { body: change })).status).toBe(204);
    expect((await ada('GET', `books?select=author&id=eq.${id}`)).body).toEqual([change]);
    const upsert = await ada('POST', 'books?on_conflict=id', { body: { id, author } });
    expect(upsert.status).toBe(200);
    const removed = await ada('DELETE', `books?and=(id.eq.${id},author.eq.${encode(quoted(author))})`, {
      headers: { prefer: 'count=exact' },
    });
    expect([removed.status, removed.headers.get('content-range')]).toEqual([204, '*/1']);
  }
  expect(await everything()).toEqual(before);
});
