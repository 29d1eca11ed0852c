import { guardOf } from '../../backup/index.ts';
import { migrateProject } from '../../database/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { withDatabase } from './database.ts';

export const migrateUp = defineCommand({
  name: 'migrate up',
  arguments: [],
  options: {},
  summary: 'Runs the pending migrations.',
  details: 'Fabrica runs them itself when it starts. One that fails is taken back, and those before it stay.',
  async run({ config, definition, terminal, json }) {
    const lock = await guardOf(config).lockShared();
    try {
      const ran = await withDatabase({ config, definition }, (database) =>
        migrateProject(definition, database, migrationsOf(definition)),
      );
      if (json) return terminal.print(JSON.stringify({ ran }, null, 2));
      terminal.print(ran.length === 0 ? 'There was nothing to run.' : `Ran ${ran.join(', ')}.`);
    } finally {
      await lock.release();
    }
  },
});
