import { guardOf } from '../../backup/index.ts';
import {
  type Migrations,
  migrationStates,
  type RanMigration,
  requireKnown,
  takeBackMigrations,
} from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { confirm } from '../framework/confirm.ts';
import { withDatabase } from '../framework/with-database.ts';
import { readRan } from './read-applied.ts';

export const migrateDown = defineCommand({
  name: 'migrate down',
  arguments: [],
  options: {
    to: {
      value: '<migration>',
      description: 'Takes back all that ran after this one, rather than the last one.',
    },
    yes: { description: 'Does not ask.' },
  },
  summary: 'Takes back the change of the tables that ran last.',
  details: `What the tables and columns hold that go is lost: make a backup first. Fabrica must be stopped. When this version is
started again it runs the same changes again, so that this is for going back to an older one.`,
  async run(call) {
    const { options, terminal, json, definition, config } = call;
    const migrations = migrationsOf(definition);
    const names = chooseNames(await readRan(call), migrations, options.to);
    if (names.length === 0)
      return terminal.print(json ? '{ "takenBack": [] }' : 'There is nothing to take back.');
    if (!options.yes) {
      await confirm(terminal, {
        question: `Take back ${names.join(', ')} of project "${definition.id}", with all that is in what they made?`,
        unasked: `Nobody can be asked here whether ${names.join(', ')} may be taken back: say so with --yes.`,
        refused: 'Nothing was taken back.',
      });
    }
    const hold = await guardOf(config).take();
    if (!hold) throw new CommandError('Fabrica is running on this data, or a command is: stop it first.');
    try {
      await withDatabase(call, (database) => takeBackMigrations(database, migrations, names));
    } finally {
      await hold.release();
    }
    terminal.print(json ? JSON.stringify({ takenBack: names }, null, 2) : `Took back ${names.join(', ')}.`);
  },
});

/** Those that are to be taken back, the latest first. Throws when one of them cannot be. */
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
