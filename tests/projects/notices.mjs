import { defineProject, everyRow } from '@fabrica/backend';
import { sql } from 'kysely';

// biome-ignore lint/style/noDefaultExport: the default export of a project's file is its definition
export default defineProject({
  id: 'notices',
  origins: ['*'],
  roles: { reader: { permissions: [] } },
  signUpRole: 'reader',
  tables: {
    notices: {
      columns: { id: { type: 'text', max: 100 }, text: { type: 'text', max: 500 } },
      policies: { anonymous: { read: everyRow }, signedIn: { read: everyRow } },
    },
  },
  migrations: {
    'notices-0001': {
      async up(db) {
        await sql`create table notices (id text not null primary key, text text not null)`.execute(db);
      },
    },
  },
});
