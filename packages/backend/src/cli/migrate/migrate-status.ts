import { type MigrationState, migrationStates } from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { presentTable } from '../framework/present-table.ts';
import { isoTime, presentTime } from '../framework/present-time.ts';
import { readRan } from './read-applied.ts';

export const migrateStatus = defineCommand({
  name: 'migrate status',
  arguments: [],
  options: {},
  summary: 'Lists the changes of the tables, and when each of them ran.',
  details: `Those that have not run do so when Fabrica starts, or with "fabrica migrate up". One that is unknown here was run by a
newer version. This command changes nothing.`,
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
