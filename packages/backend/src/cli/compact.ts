import { hasRoom } from '../database/index.ts';
import { CommandError } from './program/command-error.ts';
import { presentSize } from './program/present.ts';
import type { Cli } from './program/run-program.ts';

export function compactCommand({ command, run }: Cli): void {
  command('compact', 'Rewrites the database, so that it takes no more room than its rows.')
    .addHelpText(
      'after',
      `
Needed once for a large SQLite file of an older version, which the log names at the start; newer files give space back by
themselves. It needs twice as much free disk space as the file has. A running server reads meanwhile; writes wait.`,
    )
    .action(
      run(async ({ config, project, show }) => {
        const { definition, database } = await project();
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
        show(
          { project: definition.id, before, after },
          `The database of "${definition.id}" had ${presentSize(before)} and has ${presentSize(after)}.`,
        );
      }),
    );
}
