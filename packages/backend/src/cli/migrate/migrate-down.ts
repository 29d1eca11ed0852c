import {
  type Migrations,
  migrationStates,
  type RanMigration,
  requireKnown,
  revertMigrations,
} from '../../database/migrate.ts';
import { migrationsOf } from '../../project-database.ts';
import { CommandError, usageError } from '../program/command-error.ts';
import type { Cli } from '../program/run-program.ts';
import { confirm } from '../program/terminal.ts';
import { lockedAlone, readRan, withDatabase } from './database.ts';

export function migrateDown({ command, run }: Cli): void {
  command('migrate down', 'Undoes the last migration.')
    .option('--to <migration>', 'Undoes all migrations that ran after this one.')
    .option('--yes', 'Skips the confirmation.')
    .addHelpText(
      'after',
      `
Stop Fabrica first, and make a backup: the data of tables and columns that go is lost. This is for going back to an older
version. When this version starts again, it runs the same migrations again.`,
    )
    .action(
      run(async (context, { to, yes }) => {
        const { terminal, definition, config, show } = context;
        const migrations = migrationsOf(definition);
        const names = chooseNames(await readRan(context), migrations, to);
        if (names.length === 0) return show({ takenBack: [] }, 'There is nothing to take back.');
        if (!yes) {
          await confirm(terminal, {
            question: `Take back ${names.join(', ')} of project "${definition.id}", with all that is in what they made?`,
            notInteractive: `Nobody can be asked here whether ${names.join(', ')} may be taken back: say so with --yes.`,
            declined: 'Nothing was taken back.',
          });
        }
        await lockedAlone(config, () =>
          withDatabase(context, (database) => revertMigrations(database, migrations, names)),
        );
        show({ takenBack: names }, `Took back ${names.join(', ')}.`);
      }),
    );
}

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
