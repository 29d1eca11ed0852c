import { afterAll, beforeAll, expect, test } from 'vitest';
import { markOf, type PlateMark, withNote } from '../project/marks.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../testing/open-test-desk.ts';

/** Marks that no page may get, sent to the desk. */

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('ada', 'author');
});

afterAll(() => desk.close());

const POINT = markOf('a', { kind: 'point', x: 50, y: 50 });
const drawn = (value: string): PlateMark => ({
  ...POINT,
  target: { selector: { type: 'SvgSelector', value } },
});
const [opening, inside] = POINT.target.selector.value.split(/(?<=>)/);

async function create(marks: readonly object[], pictures: readonly object[] = []) {
  const document = { ...buildDocument(), cover: { ...buildDocument().cover, marks }, pictures };
  return desk.call(ada, 'POST', 'posts', { body: { document } });
}

test.each<[string, object[], RegExp]>([
  ['10,000 marks', Array.from({ length: 10_000 }, () => POINT), /26 marks at most/],
  ['two of the same letter', [POINT, POINT], /different letters/],
  ['a letter that is none', [{ ...POINT, id: '<b>' }], /small letter from a to z/],
  ['a point outside the picture', [markOf('a', { kind: 'point', x: 120, y: 50 })], /within the picture/],
  [
    'a box that reaches beyond it',
    [markOf('a', { kind: 'box', x: 90, y: 9, width: 20, height: 5 })],
    /within/,
  ],
  ['a script in the drawing', [drawn(`${opening}<script>alert(1)</script></svg>`)], /within the picture/],
  ['an event handler', [drawn(`${opening}${inside?.replace('/>', ' onload="alert(1)"/>')}</svg>`)], /within/],
  ['two notes in one language', [{ ...POINT, body: [...notes(), ...notes()] }], /one note in each language/],
  ['a note without an end', [withNote(POINT, 'en', 'x'.repeat(501))], /500 characters/],
])('%s is refused with a sentence', async (_, marks, reason) => {
  const { status, body } = await create(marks);
  expect(status).toBe(400);
  expect(body.error).toMatch(reason);
});

function notes() {
  return withNote(POINT, 'en', 'Here.').body;
}

test('a letter is that of one mark on all pictures of a post, and a script in a note is its words', async () => {
  const further = { ...buildDocument().cover, url: '/storage/journal/posts/2.png', marks: [POINT] };
  const { status, body } = await create([POINT], [further]);
  expect(status).toBe(400);
  expect(body.error).toMatch(/other letters than those of its further pictures/);

  const noted = withNote(POINT, 'en', '<script>alert(1)</script>');
  const created = await create([noted]);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const read = await desk.call(ada, 'GET', `posts/${created.body.id}`);
  expect(read.body.document.cover.marks).toEqual([noted]);
});
