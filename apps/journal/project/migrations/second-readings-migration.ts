import type { Migration } from '@fabrica/backend';

/** Adds what a second model has found in a translation. A reading names its texts, so that an older version, which does not know it, may change them. */
export const secondReadingsMigration: Migration = {
  compatibleWith: 'any',
  async up({ schema }) {
    await schema.alterTable('segment_translations').addColumn('reading', 'text').execute();
  },
  async down({ schema }) {
    await schema.alterTable('segment_translations').dropColumn('reading').execute();
  },
};
