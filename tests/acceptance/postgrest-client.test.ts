import { type Museum, startMuseum } from '@fabrica/test-peers/start-museum.ts';
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** A PostgREST client that is not part of this project, over a real socket. */
type Client = PostgrestClient;

let museum: Museum;
let client: Client;

const hall = [
  { id: 'a', title: 'The Anatomy Lesson', artist: 'Rembrandt', year: 1632, room: 'north', place: 1 },
  { id: 'b', title: 'The Gross Clinic', artist: 'Eakins', year: 1875, room: 'north', place: 2 },
  { id: 'c', title: 'Untitled, with "quotes"', artist: null, year: null, on_view: 0 },
  { id: 'd', title: '100% (heart)', artist: 'Éluard', year: 1923, inventory_number: 'N-4' },
  { id: 'e', title: 'The Doctor', artist: 'Fildes', year: 1891, room: 'south', place: 1 },
];

const connect = (token?: string): Client =>
  new PostgrestClient(`${museum.url}/api/db/museum/rest/v1`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

beforeAll(async () => {
  museum = await startMuseum();
  client = connect(museum.secretKey);
});

afterAll(() => museum?.close());

const paintings = () => client.from('paintings');

async function restore(): Promise<void> {
  await paintings().delete().neq('id', '').throwOnError();
  const { error } = await paintings().insert(hall, { defaultToNull: false });
  expect(error).toBeNull();
}

type Query = ReturnType<typeof select>;
const select = () => paintings().select('id').order('id');

/** Returns the ids that a query finds, in one word. */
async function found(query: PromiseLike<{ data: { id: string }[] | null; error: unknown }>): Promise<string> {
  const { data, error } = await query;
  expect(error).toBeNull();
  return (data ?? []).map(({ id }) => id).join('');
}

describe('reading', () => {
  beforeAll(restore);

  describe('filters', () => {
    test.each<[string, (query: Query) => Query, string]>([
      ['eq', (query) => query.eq('year', 1632), 'a'],
      ['eq of a text with signs in it', (query) => query.eq('title', 'Untitled, with "quotes"'), 'c'],
      ['neq', (query) => query.neq('year', 1632), 'bde'],
      ['gt and lt', (query) => query.gt('year', 1632).lt('year', 1923), 'be'],
      ['gte and lte', (query) => query.gte('year', 1875).lte('year', 1891), 'be'],
      ['like', (query) => query.like('title', 'The%'), 'abe'],
      ['like with a star', (query) => query.like('title', '*Clinic'), 'b'],
      ['ilike', (query) => query.ilike('artist', 'él%'), 'd'],
      ['is null', (query) => query.is('artist', null), 'c'],
      ['is true', (query) => query.is('on_view', true), 'abde'],
      ['is false', (query) => query.is('on_view', false), 'c'],
      ['in', (query) => query.in('id', ['a', 'e', 'nobody']), 'ae'],
      ['in, of texts with signs in them', (query) => query.in('title', ['100% (heart)', 'x,y']), 'd'],
      ['in nothing', (query) => query.in('id', []), ''],
      ['notIn', (query) => query.notIn('id', ['a', 'e']), 'bcd'],
      ['not eq', (query) => query.not('year', 'eq', 1632), 'bde'],
      ['not is null', (query) => query.not('artist', 'is', null), 'abde'],
      ['not in', (query) => query.not('id', 'in', '(a,b)'), 'cde'],
      ['not like', (query) => query.not('title', 'like', 'The%'), 'cd'],
      ['match', (query) => query.match({ room: 'north', place: 2 }), 'b'],
      ['filter', (query) => query.filter('year', 'not.gt', 1632), 'a'],
      ['or', (query) => query.or('year.eq.1632,artist.is.null'), 'ac'],
      ['or, twice', (query) => query.or('id.eq.a,id.eq.b').or('year.lt.1700,id.eq.c'), 'a'],
      [
        'groups in groups',
        (query) => query.or('and(room.eq.north,not.or(place.eq.1,year.is.null)),artist.ilike.FIL*'),
        'be',
      ],
      ['or with negations', (query) => query.or('id.not.in.(a,b,c),year.not.is.null'), 'abde'],
      ['or with quotes', (query) => query.or('title.eq."Untitled, with \\"quotes\\"",id.eq.a'), 'ac'],
      ['not.or', (query) => query.filter('not.or', '(id.eq.a,id' as 'eq', 'eq.b)'), 'cde'],
    ])('the PostgREST client filters by %s', async (_, narrow, ids) => {
      expect(await found(narrow(select()))).toBe(ids);
    });
  });

  test('the PostgREST client orders by several columns with nulls first or last', async () => {
    const ordered = () => paintings().select('id');
    expect(await found(ordered().order('year'))).toBe('abedc');
    expect(await found(ordered().order('year', { ascending: false }))).toBe('cdeba');
    expect(await found(ordered().order('year', { nullsFirst: true }))).toBe('cabed');
    expect(await found(ordered().order('year', { ascending: false, nullsFirst: false }))).toBe('debac');
    const several = ordered().order('room', { nullsFirst: true }).order('place', { ascending: false });
    expect(await found(several.order('id', { ascending: false }))).toBe('dcbae');
  });

  test('the PostgREST client limits, ranges and counts rows', async () => {
    expect(await found(select().limit(2))).toBe('ab');
    const { data, count, status } = await paintings()
      .select('id', { count: 'exact' })
      .order('id')
      .range(1, 2);
    expect([data, count, status]).toEqual([[{ id: 'b' }, { id: 'c' }], 5, 200]);
    const beyond = await paintings().select('id', { count: 'exact' }).range(50, 60);
    expect([beyond.data, beyond.count, beyond.status]).toEqual([[], 5, 200]);
    expect((await paintings().select('id', { count: 'exact' }).limit(0)).count).toBe(5);
    for (const kind of ['planned', 'estimated'] as const) {
      expect((await paintings().select('*', { count: kind }).eq('room', 'north')).count).toBe(2);
    }
    const head = await paintings().select('*', { count: 'exact', head: true }).is('artist', null);
    expect([head.data, head.count, head.error, head.status]).toEqual([null, 1, null, 200]);
  });

  test('the PostgREST client reads a single row, and gets an error for none or several', async () => {
    const one = await paintings().select('id,year').eq('id', 'a').single();
    expect(one.data).toEqual({ id: 'a', year: 1632 });
    for (const [narrow, rows] of [
      ['nobody', 0],
      ['north', 2],
    ] as const) {
      const { data, error, status } = await paintings().select('id').eq('room', narrow).single();
      expect([data, status]).toEqual([null, 406]);
      // Clients parse these details to tell none from several.
      expect(error).toMatchObject({ code: 'NOT_ACCEPTABLE', details: `The result contains ${rows} rows` });
      expect(error?.message).toMatch(/^One row was asked for, and there are (none|several)\.$/);
    }
    expect((await paintings().select('id').eq('id', 'a').maybeSingle()).data).toEqual({ id: 'a' });
    const none = await paintings().select('id').eq('id', 'nobody').maybeSingle();
    expect([none.data, none.error, none.status]).toEqual([null, null, 200]);
    expect((await paintings().select('id').eq('room', 'north').maybeSingle()).error).not.toBeNull();
  });

  test('unsupported features of PostgREST are errors that name them', async () => {
    const one = () => paintings().select('id');
    for (const [query, sentence] of [
      [one().contains('title', ['a']), '"cs" is no operator'],
      [one().textSearch('title', 'heart'), '"fts" is no operator'],
      [one().isDistinct('year', 1), '"isdistinct" is no operator'],
      [one().likeAnyOf('title', ['a', 'b']), '"like(any)" is no operator'],
      [one().regexMatch('title', '^a'), '"match" is no operator'],
      [one().eq('nothing', 1), 'no column "nothing"'],
      [one().eq('year', 'x'), 'whole numbers'],
      [paintings().select('name:title'), 'aliases'],
      [paintings().select('year::text'), 'casts'],
      [paintings().select('id,artists(name)'), 'other tables'],
      [paintings().select('count()'), 'functions'],
      [one().order('name', { referencedTable: 'artists' }), 'no column "artists.order"'],
    ] as const) {
      const { data, error, status } = await query;
      expect([data, status, error?.message]).toEqual([null, 400, expect.stringContaining(sentence)]);
    }
    const shapeless = await one().geojson();
    expect([shapeless.status, shapeless.error?.message]).toEqual([406, expect.stringContaining('text/csv')]);
    expect((await one().explain()).status).toBe(406);
    expect((await one().stripNulls()).status).toBe(406);
  });

  test('the only schema is public, and other schemas are refused', async () => {
    expect((await client.schema('public').from('paintings').select('id').limit(1)).status).toBe(200);
    const { status, error } = await client.schema('private').from('paintings').select('id');
    expect([status, error?.message]).toEqual([406, expect.stringContaining('"public"')]);
    expect((await client.schema('private').from('paintings').insert({ title: 'x' })).status).toBe(406);
    expect(await found(select())).toBe('abcde');
  });

  test('an unknown table, an unknown project and a wrong key are errors with a sentence', async () => {
    const table = await client.from('nothing').select();
    expect([table.status, table.error]).toEqual([
      404,
      {
        error: 'This project has no table of this name.',
        message: 'This project has no table of this name.',
        code: 'UNKNOWN_TABLE',
      },
    ]);
    const project: Client = new PostgrestClient(`${museum.url}/api/db/nothing/rest/v1`);
    expect((await project.from('paintings').select()).error?.code).toBe('PROJECT_NOT_FOUND');
    expect((await connect('sk_wrong').from('paintings').select()).status).toBe(401);
  });

  test('a list of 1,000 values is accepted, and one of 1,001 is refused', async () => {
    const ids = Array.from(
      { length: 1_000 },
      (_, index) => `painting_1760000000000_${String(index).padStart(16, '0')}`,
    );
    expect(await found(select().in('id', [...ids.slice(1), 'a']))).toBe('a');
    const { status, error } = await select().in('id', [...ids, 'a']);
    expect([status, error?.message]).toEqual([400, 'A list may hold 1000 values at most.']);
  });
});

describe('writing', () => {
  beforeEach(restore);

  describe('inserting', () => {
    const total = async () => (await paintings().select('*', { count: 'exact', head: true })).count;

    test('the PostgREST client inserts one row with and without returning it', async () => {
      const quiet = await paintings().insert({ id: 'f', title: 'Quiet' });
      expect([quiet.status, quiet.data, quiet.error]).toEqual([201, null, null]);
      const { status, data } = await paintings().insert({ title: 'Told' }).select('title,on_view').single();
      expect([status, data]).toEqual([201, { title: 'Told', on_view: 1 }]);
      const made = await paintings().insert({ title: 'Perhaps' }).select('title').maybeSingle();
      expect(made.data).toEqual({ title: 'Perhaps' });
      const limited = await paintings().insert({ title: 'Only one' }).select('title').limit(1).single();
      expect(limited.data).toEqual({ title: 'Only one' });
    });

    test('the PostgREST client inserts several rows and returns them counted and ordered', async () => {
      const rows = ['x', 'z', 'y'].map((id) => ({ id, title: `Painting ${id}` }));
      const { status, count, data } = await paintings()
        .insert(rows, { count: 'exact' })
        .select('id')
        .order('id', { ascending: false });
      expect([status, count, data]).toEqual([201, 3, [{ id: 'z' }, { id: 'y' }, { id: 'x' }]]);
      expect((await paintings().insert([]).select()).data).toEqual([]);
    });

    test('a missing key of an inserted row is null, or the default when asked for', async () => {
      const rows = [
        { id: 'x', title: 'X', artist: 'Somebody', on_view: 0 },
        { id: 'y', title: 'Y' },
      ];
      const strict = await paintings().insert(rows);
      expect([strict.status, strict.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(strict.error?.message).toContain('on_view must not be null');
      expect(await total()).toBe(5);
      const lenient = await paintings().insert(rows, { defaultToNull: false }).select('id,artist,on_view');
      expect(lenient.data).toEqual([
        { id: 'x', artist: 'Somebody', on_view: 0 },
        { id: 'y', artist: null, on_view: 1 },
      ]);
      const ids = [{ title: 'Without an id' }, { id: 'z', title: 'With one' }];
      expect((await paintings().insert(ids).select('title')).data).toHaveLength(2);
    });
  });

  describe('upserting', () => {
    test('an upsert merges into the row of the same id', async () => {
      const { status, data } = await paintings()
        .upsert({ id: 'a', title: 'The Anatomy Lesson of Dr. Tulp' })
        .select('title,artist')
        .single();
      expect([status, data]).toEqual([200, { title: 'The Anatomy Lesson of Dr. Tulp', artist: 'Rembrandt' }]);
      const several = await paintings()
        .upsert([
          { id: 'a', title: 'Old' },
          { id: 'n', title: 'New' },
        ])
        .select('id,title');
      expect([several.status, several.data]).toEqual([
        201,
        [
          { id: 'a', title: 'Old' },
          { id: 'n', title: 'New' },
        ],
      ]);
    });

    test('an upsert that ignores duplicates keeps them and returns the new rows alone', async () => {
      const { status, data } = await paintings()
        .upsert(
          [
            { id: 'a', title: 'Ignored' },
            { id: 'n', title: 'New' },
          ],
          { ignoreDuplicates: true },
        )
        .select('id');
      expect([status, data]).toEqual([201, [{ id: 'n' }]]);
      const { data: kept } = await paintings().select('title').eq('id', 'a').single();
      expect(kept).toEqual({ title: 'The Anatomy Lesson' });
      const again = await paintings()
        .upsert(
          { inventory_number: 'N-4', title: 'x' },
          { onConflict: 'inventory_number', ignoreDuplicates: true },
        )
        .select();
      expect([again.status, again.data]).toEqual([200, []]);
    });
  });

  describe('changing and deleting', () => {
    test('an update returns the changed rows and their count', async () => {
      const { data, count, status } = await paintings()
        .update({ room: null, place: null }, { count: 'exact' })
        .eq('room', 'north')
        .select('id,room')
        .order('id');
      expect([status, count, data]).toEqual([
        200,
        2,
        [
          { id: 'a', room: null },
          { id: 'b', room: null },
        ],
      ]);
      const quiet = await paintings().update({ year: 1 }, { count: 'exact' }).eq('id', 'nobody');
      expect([quiet.status, quiet.count, quiet.data, quiet.error]).toEqual([204, 0, null, null]);
      const one = await paintings().update({ year: 1 }).eq('id', 'a').select('year').single();
      expect(one.data).toEqual({ year: 1 });
      const none = await paintings().update({ year: 1 }).eq('id', 'nobody').select().maybeSingle();
      expect([none.data, none.error]).toEqual([null, null]);
    });

    test('a deletion returns the deleted rows', async () => {
      const { data, count } = await paintings().delete({ count: 'exact' }).in('id', ['a', 'b']).select('id');
      expect([data, count]).toEqual([[{ id: 'a' }, { id: 'b' }], 2]);
      expect((await paintings().delete().eq('id', 'c')).status).toBe(204);
      expect(await found(select())).toBe('de');
    });

    test('a dry run of a write is refused', async () => {
      const { status, error } = await paintings().delete().eq('id', 'a').rollback();
      expect([status, error?.message]).toEqual([400, expect.stringContaining('tx=rollback')]);
      expect(await found(select())).toBe('abcde');
    });
  });

  test('the PostgREST client reads rows as CSV, in which no text is a formula', async () => {
    const { data } = await paintings().select('id,title,artist,year').in('id', ['c', 'd']).order('id').csv();
    expect(data).toBe(
      'id,title,artist,year\r\nc,"Untitled, with ""quotes""",,\r\nd,100% (heart),Éluard,1923\r\n',
    );
    expect((await paintings().select('id,year').eq('id', 'nobody').csv()).data).toBe('id,year\r\n');
    const made = await paintings().insert({ id: 'n', title: '=2+3\nlines' }).select('id,title').csv();
    expect(made.data).toBe('id,title\r\nn,"\'=2+3\nlines"\r\n');
  });
});
