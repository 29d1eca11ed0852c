import { type MigrationState, migrationStates } from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { isoTime, presentTable, presentTime } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { readRan } from './database.ts';

export function migrateStatus({ command, run }: Cli): void {
  command('migrate status', 'Lists the migrations and when each of them ran.')
    .addHelpText(
      'after',
      `
Pending migrations run when Fabrica starts, or with "fabrica migrate up". An unknown migration was run by a newer
version. This command changes nothing.`,
    )
    .action(
      run(async (context) => {
        const states = migrationStates(await readRan(context), migrationsOf(context.definition));
        const rows = states.map((state) => [state.name, presentTime(state.ranAt), remarkOn(state)]);
        context.show(states.map(stateJson), presentTable(['MIGRATION', 'RAN', 'REMARK'], rows));
      }),
    );
}

function remarkOn({ known, ranAt, reversible }: MigrationState): string | null {
  if (!known) return 'unknown here: of a newer version';
  if (ranAt === null) return 'to be run';
  return reversible ? null : 'cannot be taken back';
}

function stateJson({ ranAt, ...state }: MigrationState) {
  return { ...state, ranAt: isoTime(ranAt) };
}
