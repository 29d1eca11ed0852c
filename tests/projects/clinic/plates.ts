import { anyOf, callerId, equals, permitted, type Table } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const id = { type: 'text', max: 100 } as const;
const own = equals('user_id', callerId);

export const plates: Table = {
  columns: {
    id,
    user_id: id,
    title: { type: 'text', max: 200 },
    image_url: { type: 'text', max: 500, nullable: true },
  },
  files: ['image_url'],
  policies: {
    signedIn: { read: anyOf(own, permitted('plates.read')), create: own, delete: own },
  },
};

export const createPlates: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table ${sql.table('plates')} (
      id text not null primary key, user_id text not null, title text not null, image_url text
    )`.execute(db);
    await sql`create table drafts (id text not null primary key)`.execute(db);
  },
};
