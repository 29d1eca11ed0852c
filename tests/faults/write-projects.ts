import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const HEAD = `import { defineProject, everyRow } from '@fabrica/backend';

const id = { type: 'text', max: 60 };
const columns = { id, text: { type: 'text', max: 200 }`;

const PROJECT = `export default defineProject({
  id: 'ward',
  origins: [],
  roles: { member: { permissions: [] } },
  signUpRole: 'member',
  tables: { notes: { idPrefix: 'note_', columns, policies: { anonymous: { read: everyRow } } } },
  migrations,
});
`;

const FIRST = `  'ward-0001-notes': {
    async up({ schema }) {
      const table = schema.createTable('notes').addColumn('id', 'text', (column) => column.notNull().primaryKey());
      await table.addColumn('text', 'text', (column) => column.notNull()).execute();
    },
    async down({ schema }) {
      await schema.dropTable('notes').execute();
    },
  },`;

const SECOND = `  'ward-0002-kinds': {
    compatibleWith: 'any',
    async up({ schema }) {
      await schema.alterTable('notes').addColumn('kind', 'text').execute();
      await schema.createIndex('notes_kind').on('notes').column('kind').execute();
    },
    async down({ schema }) {
      await schema.alterTable('notes').dropColumn('kind').execute();
    },
  },
  'ward-0003-filled-kinds': fillInBatches(async (database, after = '') => {
    const rows = await database.selectFrom('notes').select('id').where('id', '>', after).orderBy('id').limit(20).execute();
    const ids = rows.map((row) => row.id);
    if (ids.length > 0) await database.updateTable('notes').set({ kind: 'plain' }).where('id', 'in', ids).execute();
    return ids.length < 20 ? undefined : ids.at(-1);
  }),`;

/** The folders of a project before and after its tables were extended. */
export interface ProjectVersions {
  former: string;
  present: string;
}

/** Writes both versions of a project beside each other. */
export async function writeProjectVersions(folder: string): Promise<ProjectVersions> {
  const versions = { former: join(folder, 'former'), present: join(folder, 'present') };
  const present = HEAD.replace('everyRow }', 'everyRow, fillInBatches }');
  await write(versions.former, `${HEAD} };\nconst migrations = {\n${FIRST}\n};\n${PROJECT}`);
  await write(
    versions.present,
    `${present}, kind: { ...id, nullable: true } };\nconst migrations = {\n${FIRST}\n${SECOND}\n};\n${PROJECT}`,
  );
  return versions;
}

async function write(folder: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'ward.mjs'), text);
}
