import { guardOf } from '../../backup/index.ts';
import {
  type Migrations,
  migrationStates,
  type RanMigration,
  requireKnown,
  revertMigrations,
} from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { confirm } from '../framework/terminal.ts';
import { readRan, withDatabase } from './database.ts';

export const migrateDown = defineCommand({
  name: 'migrate down',
  arguments: [],
  options: {
    to: {
      value: '<migration>',
      description: 'Undoes all migrations that ran after this one.',
    },
    yes: { description: 'Skips the confirmation.' },
  },
  summary: 'Undoes the last migration.',
  details: `Stop Fabrica first, and make a backup: the data of tables and columns that go is lost. This is for going back to an older
version. When this version starts again, it runs the same migrations again.`,
  async run(call) {
    const { options, terminal, json, definition, config } = call;
    const migrations = migrationsOf(definition);
    const names = chooseNames(await readRan(call), migrations, options.to);
    if (names.length === 0)
      return terminal.print(json ? '{ "takenBack": [] }' : 'There is nothing to take back.');
    if (!options.yes) {
      await confirm(terminal, {
        question: `Take back ${names.join(', ')} of project "${definition.id}", with all that is in what they made?`,
        notInteractive: `Nobody can be asked here whether ${names.join(', ')} may be taken back: say so with --yes.`,
        declined: 'Nothing was taken back.',
      });
    }
    const lock = await guardOf(config).lockExclusive();
    if (!lock) throw new CommandError('Fabrica is running on this data, or a command is: stop it first.');
    try {
      await withDatabase(call, (database) => revertMigrations(database, migrations, names));
    } finally {
      await lock.release();
    }
    terminal.print(json ? JSON.stringify({ takenBack: names }, null, 2) : `Took back ${names.join(', ')}.`);
  },
});

/** Returns the migrations to undo, the latest first. Throws when one of them cannot be undone. */
function chooseNames(ran: readonly RanMigration[], migrations: Migrations, to: string | undefined): string[] {
  requireKnown(ran, migrations);
  const last = to === undefined ? ran.length - 2 : ran.findIndex(({ name }) => name === to);
  if (to !== undefined && last < 0) {
    throw usageError(`No migration "${to}" has run here: see "fabrica migrate status".`);
  }
  const chosen = ran.slice(last + 1).toReversed();
  for (const { name } of chosen) {
    const [state] = migrationStates([{ name, timestamp: '' }], migrations);
    if (state?.reversible) continue;
    throw new CommandError(
      `Migration "${name}" cannot be taken back: it does not say how. A backup leads back further.`,
    );
  }
  return chosen.map(({ name }) => name);
}
