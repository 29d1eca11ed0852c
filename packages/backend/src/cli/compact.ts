import { hasRoom } from '../database/index.ts';
import { defineCommand } from './framework/command.ts';
import { CommandError } from './framework/command-error.ts';
import { presentSize } from './framework/present.ts';

export const compactCommand = defineCommand({
  name: 'compact',
  arguments: [],
  options: {},
  summary: 'Rewrites the database, so that it takes no more room than its rows.',
  details: `Needed once for a large SQLite file of an older version, which the log names at the start; newer files give space back by
themselves. It needs twice as much free disk space as the file has. A running server reads meanwhile; writes wait.`,
  async run({ config, terminal, json, ...context }) {
    const { definition, database } = await context.project();
    if (!database.space) {
      throw new CommandError('PostgreSQL looks after its space itself (see VACUUM FULL of its manual).');
    }
    const before = database.space.read().bytes;
    if (!(await hasRoom(config.dataDir, before))) {
      throw new CommandError(
        `The disk of ${config.dataDir} has too little room: make ${presentSize(before * 2)} free.`,
      );
    }
    await database.space.compact();
    const after = database.space.read().bytes;
    if (json) return terminal.print(JSON.stringify({ project: definition.id, before, after }, null, 2));
    terminal.print(
      `The database of "${definition.id}" had ${presentSize(before)} and has ${presentSize(after)}.`,
    );
  },
});
