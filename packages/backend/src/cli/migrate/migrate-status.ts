import { type MigrationState, migrationStates } from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { isoTime, presentTable, presentTime } from '../framework/present.ts';
import { readRan } from './database.ts';

export const migrateStatus = defineCommand({
  name: 'migrate status',
  arguments: [],
  options: {},
  summary: 'Lists the migrations and when each of them ran.',
  details: `Pending migrations run when Fabrica starts, or with "fabrica migrate up". An unknown migration was run by a newer
version. This command changes nothing.`,
  async run({ terminal, json, ...context }) {
    const states = migrationStates(await readRan(context), migrationsOf(context.definition));
    if (json) return terminal.print(JSON.stringify(states.map(stateJson), null, 2));
    const rows = states.map((state) => [state.name, presentTime(state.ranAt), remarkOn(state)]);
    terminal.print(presentTable(['MIGRATION', 'RAN', 'REMARK'], rows));
  },
});

function remarkOn({ known, ranAt, reversible }: MigrationState): string | null {
  if (!known) return 'unknown here: of a newer version';
  if (ranAt === null) return 'to be run';
  return reversible ? null : 'cannot be taken back';
}

function stateJson({ ranAt, ...state }: MigrationState) {
  return { ...state, ranAt: isoTime(ranAt) };
}
