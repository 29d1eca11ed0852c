import { createClient as createNewest } from '@blinkdotnew/sdk';
import { type Museum, startMuseum } from '@fabrica/test-peers/start-museum.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/** All table methods of a client of the wire contract that nobody here wrote, on a server's key and on a user's token. */
type PublicClient = ReturnType<typeof createNewest>;
type Row = Record<string, unknown>;

let museum: Museum;

beforeAll(async () => {
  museum = await startMuseum();
});

afterAll(() => museum?.close());

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

describe.each(versions)('the public client %s', (version, createClient) => {
  const isOld = version.startsWith('0.');
  let service: PublicClient;
  let anonymous: PublicClient;

  /** The old client knows no secret keys: it is given one in place of a user's token. */
  const connect = (secretKey?: string): PublicClient => {
    const made = createClient({
      projectId: 'museum',
      auth: { mode: 'headless', authUrl: museum.url, coreUrl: museum.url },
      ...(secretKey && { secretKey }),
    });
    // This client keeps `coreUrl` for its sockets; its calls go to the address in its HTTP client.
    Object.assign((made.storage as unknown as { httpClient: object }).httpClient, {
      authUrl: museum.url,
      coreUrl: museum.url,
      ...(secretKey && isOld && { getToken: () => secretKey, getValidToken: undefined }),
    });
    return made;
  };

  const hall: Row[] = [
    { id: 'a', title: 'The Anatomy Lesson', artist: 'Rembrandt', year: 1632, room: 'north', place: 1 },
    { id: 'b', title: 'The Gross Clinic', artist: 'Eakins', year: 1875, room: 'north', place: 2 },
    { id: 'c', title: 'Untitled, "in (red)"', artist: null, year: null, onView: false },
    { id: 'd', title: '100% heart & soul', artist: 'Éluard', year: 1923, inventoryNumber: 'N-4' },
  ];

  const paintings = (client = service) => client.db.table<Row>('paintings');

  beforeAll(async () => {
    service = connect(museum.secretKey);
    anonymous = connect();
  });

  const restore = async () => {
    await paintings().deleteMany({ where: { id: { neq: 'nobody' } } });
    await paintings().createMany(hall);
  };

  const ids = async (where: Row, client = service) =>
    (await paintings(client).list({ where, orderBy: { id: 'asc' } })).map(({ id }) => id).join('');

  describe('reading', () => {
    beforeAll(restore);

    it('counts, and tells whether there is any', async () => {
      expect(await paintings().count()).toBe(4);
      expect(await paintings().count({ where: { room: 'north' } })).toBe(2);
      expect(await paintings().exists({ where: { title: 'The Gross Clinic' } })).toBe(true);
      expect(await paintings().exists({ where: { title: 'The Net Clinic' } })).toBe(false);
    });

    it.each<[string, Row, string]>([
      ['equality', { artist: 'Rembrandt' }, 'a'],
      ['signs of the language in a value', { title: 'Untitled, "in (red)"' }, 'c'],
      ['signs of addresses in a value', { title: '100% heart & soul' }, 'd'],
      ['letters beyond ASCII', { artist: 'Éluard' }, 'd'],
      ['several columns', { room: 'north', place: 2 }, 'b'],
      ['a boolean', { onView: true }, 'abd'],
      ['its opposite', { onView: false }, 'c'],
      ['neq', { year: { neq: 1632 } }, 'bd'],
      ['gt', { year: { gt: 1632 } }, 'bd'],
      ['gte', { year: { gte: 1632 } }, 'abd'],
      ['lt', { year: { lt: 1875 } }, 'a'],
      ['lte', { year: { lte: 1875 } }, 'ab'],
      ['like', { title: { like: 'The%' } }, 'ab'],
      ['ilike', { artist: { ilike: 'é%' } }, 'd'],
      ['in', { id: { in: ['a', 'c'] } }, 'ac'],
      ['in, of texts with commas', { title: { in: ['100% heart & soul', 'x'] } }, 'd'],
      ['not_in', { id: { not_in: ['a', 'c'] } }, 'bd'],
      ['is null', { artist: { is: null } }, 'c'],
      ['not null', { artist: { not: null } }, 'abd'],
      ['not a value', { artist: { not: 'Eakins' } }, 'ad'],
      ['nothing at all', {}, 'abcd'],
    ])('filters by %s', async (_, where, expected) => {
      expect(await ids(where)).toBe(expected);
      expect(await paintings().count({ where })).toBe(expected.length);
    });

    const groups: [string, Row, string][] = [
      ['AND', { AND: [{ room: 'north' }, { year: { gt: 1700 } }] }, 'b'],
      ['OR', { OR: [{ artist: 'Éluard' }, { year: 1632 }] }, 'ad'],
      ['OR in AND', { AND: [{ onView: true }, { OR: [{ id: 'a' }, { title: { like: '100%' } }] }] }, 'ad'],
      ['AND in OR', { OR: [{ AND: [{ room: 'north' }, { place: 1 }] }, { artist: { is: null } }] }, 'ac'],
      ['several columns of a member', { OR: [{ room: 'north', place: 2 }, { id: 'd' }] }, 'bd'],
      ['signs in a value', { OR: [{ title: 'Untitled, "in (red)"' }, { id: { in: ['a', 'b'] } }] }, 'abc'],
      ['a list that is left out', { AND: [{ id: { not_in: ['a', 'b'] } }, { onView: 1 }] }, 'd'],
    ];

    it.each(groups)('filters by groups: %s', async (_, where, expected) => {
      // The old client cuts its groups off at their first "=": what arrives is no group, and is not taken for one.
      if (isOld) await expect(ids(where)).rejects.toThrow('A group');
      else expect(await ids(where)).toBe(expected);
    });

    it('selects columns and orders rows by several, from one place to another', async () => {
      const listed = await paintings().list({
        select: ['id', 'inventoryNumber'],
        orderBy: { onView: 'desc', year: 'desc' },
        limit: 2,
        offset: 1,
      });
      expect(listed).toEqual([
        { id: 'b', inventoryNumber: null },
        { id: 'a', inventoryNumber: null },
      ]);
      expect(await paintings().list({ orderBy: { year: 'asc' }, select: ['id'] })).toEqual(
        ['a', 'b', 'd', 'c'].map((id) => ({ id })),
      );
    });

    it('goes on from a cursor', async () => {
      const path = '/api/db/museum/rest/v1/paintings?select=*&order=year.desc&limit=2';
      const first = await fetch(`${museum.url}${path}`);
      const cursor = first.headers.get('x-next-cursor') ?? '';
      const rest = await paintings(anonymous).list({ orderBy: { year: 'desc' }, limit: 2, cursor });
      expect(rest.map(({ id }) => id)).toEqual(['a']);
    });
  });

  describe('writing', () => {
    beforeEach(restore);

    it('creates rows, in snake_case and back, and gets them', async () => {
      const made = await paintings().create({ title: 'New', onView: true, inventoryNumber: 'N-9' });
      expect(made).toMatchObject({ title: 'New', onView: 1, inventoryNumber: 'N-9', artist: null });
      expect(made.createdAt).toEqual(expect.any(Number));
      expect(await paintings().get(String(made.id))).toEqual(made);
      expect(await paintings().get('nobody')).toBeNull();
      expect(await paintings().get('c')).toMatchObject({ onView: 0, title: 'Untitled, "in (red)"' });
    });

    it('creates several rows or none', async () => {
      const many = await paintings().createMany([{ title: 'One' }, { title: 'Two', year: 2000 }]);
      expect(many.map(({ title }) => title)).toEqual(['One', 'Two']);
      await expect(
        paintings().createMany([{ title: 'Three' }, { id: 'a', title: 'Taken' }]),
      ).rejects.toMatchObject({
        message: 'There is a row with these values already.',
        status: 409,
      });
      expect(await paintings().count()).toBe(6);
    });

    it('upserts by id and by other keys, one and many', async () => {
      const changed = await paintings().upsert({ id: 'a', title: 'Again' });
      expect(changed).toMatchObject({ id: 'a', title: 'Again', year: 1632 });
      const byNumber = await paintings().upsert(
        { inventoryNumber: 'N-4', title: 'By its number' },
        // The old client sends names as they are written.
        { onConflict: 'inventory_number' },
      );
      expect(byNumber).toMatchObject({ title: 'By its number', year: 1923 });
      const many = await paintings().upsertMany([
        { id: 'b', title: 'Second' },
        { id: 'n', title: 'Newest' },
      ]);
      expect(many.map(({ id, title }) => [id, title])).toEqual([
        ['b', 'Second'],
        ['n', 'Newest'],
      ]);
      expect(await paintings().count()).toBe(5);
    });

    it('updates one and several, and says when there is nothing to update', async () => {
      expect(await paintings().update('a', { title: 'Revised', onView: false })).toMatchObject({
        id: 'a',
        title: 'Revised',
        onView: 0,
      });
      const many = await paintings().updateMany([
        { id: 'a', year: 1 },
        { id: 'b', year: 2 },
      ]);
      expect(many.map(({ year }) => year)).toEqual([1, 2]);
      await expect(paintings().update('nobody', { year: 1 })).rejects.toThrow('not found');
    });

    it('deletes one and many, and nothing without a filter', async () => {
      await paintings().delete('a');
      await paintings().delete('a');
      expect(await ids({})).toBe('bcd');
      await paintings().deleteMany({ where: { id: { in: ['b', 'c'] } } });
      expect(await ids({})).toBe('d');
      await expect(paintings().deleteMany({ where: {} })).rejects.toMatchObject({
        message: 'Say which rows are meant: this needs a filter.',
      });
      expect(await ids({})).toBe('d');
    });

    it('is told what is wrong in a sentence', async () => {
      await expect(ids({ colour: 'red' })).rejects.toMatchObject({
        message: 'Table "paintings" has no column "colour".',
        status: 400,
      });
      await expect(service.db.table('frames').list()).rejects.toMatchObject({
        message: 'This project has no table of this name.',
        status: 404,
      });
      await expect(paintings().create({ title: '' })).rejects.toMatchObject({ status: 400 });
    });

    it('reads what is open to everyone without signing in, and writes nothing', async () => {
      expect(await ids({}, anonymous)).toBe('abd');
      await expect(paintings(anonymous).create({ title: 'x' })).rejects.toMatchObject({ status: 401 });
      await expect(paintings(anonymous).delete('a')).rejects.toMatchObject({ status: 401 });
      expect(await paintings().count()).toBe(4);
    });

    it('asks in SQL, and writes in batches that are done as a whole', async () => {
      const { rows, columns, rowCount } = (await service.db.sql(
        'SELECT id, inventory_number FROM paintings WHERE year > ? ORDER BY id',
        [1700],
      )) as unknown as { rows: Row[]; columns: string[]; rowCount: number };
      expect(rows).toEqual([
        { id: 'b', inventoryNumber: null },
        { id: 'd', inventoryNumber: 'N-4' },
      ]);
      expect([columns, rowCount]).toEqual([['id', 'inventory_number'], 2]);
      const done = await service.db.batch([
        { sql: 'UPDATE paintings SET year = ? WHERE id = ?', args: [1900, 'a'] },
        { sql: 'SELECT year FROM paintings WHERE id = $1', args: ['a'] },
      ]);
      expect(done).toMatchObject({ success: true, results: [{ rowCount: 1 }, { rows: [{ year: 1900 }] }] });
      await expect(
        service.db.batch([
          { sql: 'UPDATE paintings SET year = 1 WHERE id = ?', args: ['a'] },
          { sql: 'UPDATE paintings SET nothing = 1', args: [] },
        ]),
      ).rejects.toMatchObject({ status: 400 });
      expect(await paintings().get('a')).toMatchObject({ year: 1900 });
      await expect(
        service.db.batch([{ sql: 'UPDATE paintings SET year = 1', args: [] }], 'read'),
      ).rejects.toMatchObject({ status: 400 });
      await expect(anonymous.db.sql('SELECT 1')).rejects.toMatchObject({ status: 401 });
    });
  });
});
