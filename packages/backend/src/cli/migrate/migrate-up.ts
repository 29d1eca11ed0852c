import { guardOf } from '../../backup/index.ts';
import { migrateToLatest } from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { withDatabase } from '../framework/with-database.ts';

export const migrateUp = defineCommand({
  name: 'migrate up',
  arguments: [],
  options: {},
  summary: 'Runs the changes of the tables that have not run yet.',
  details: 'Fabrica does so itself when it starts. All of them are carried out, or after a failure none.',
  async run({ config, definition, terminal, json }) {
    const hold = await guardOf(config).share();
    try {
      const ran = await withDatabase({ config, definition }, (database) =>
        migrateToLatest(database, migrationsOf(definition)),
      );
      if (json) return terminal.print(JSON.stringify({ ran }, null, 2));
      terminal.print(ran.length === 0 ? 'There was nothing to run.' : `Ran ${ran.join(', ')}.`);
    } finally {
      await hold.release();
    }
  },
});
