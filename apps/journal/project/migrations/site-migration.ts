import type { Migration } from '@fabrica/backend';
import type { Kysely } from 'kysely';

/** Creates the tables of what the operator sets about the site: one row of settings, and the texts in each language. */
export const siteMigration: Migration = {
  async up({ schema }: Kysely<unknown>) {
    const create = async (table: string, texts: readonly string[], numbers: readonly string[] = []) => {
      let built = schema
        .createTable(table)
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('updated_at', 'bigint', (column) => column.notNull());
      for (const name of numbers) built = built.addColumn(name, 'bigint');
      for (const name of texts) built = built.addColumn(name, 'text');
      await built.execute();
    };
    await create(
      'site_settings',
      ['name', 'languages', 'accent_light', 'accent_dark', 'logo_url', 'about_image_url'],
      ['logo_width', 'logo_height', 'about_image_width', 'about_image_height'],
    );
    await create('site_texts', [
      ...[
        'tagline',
        'about_image_alt',
        'who_title',
        'vision_title',
        'why_title',
        'quote_text',
        'quote_source',
      ],
      ...['who_text', 'vision_text', 'why_text', 'contact_text', 'imprint', 'privacy'],
    ]);
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['site_texts', 'site_settings']) await schema.dropTable(table).execute();
  },
};
