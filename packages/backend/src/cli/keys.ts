import { Option } from '@commander-js/extra-typings';
import { makeBackupKeys } from '../backup/index.ts';
import type { KeyRing } from '../core/key-ring.ts';
import { replaceProjectSecret, rotateRefreshKey, rotateSecretsKey, rotateSigningKey } from '../core/keys.ts';
import { removeKeys } from '../database/index.ts';
import { authWriter, recordEvent, sealFactorsAnew } from '../services/auth/index.ts';
import { sealSecretsAnew } from '../services/data/index.ts';
import { lockedAlone, withDatabase } from './migrate/database.ts';
import { CommandError } from './program/command-error.ts';
import type { CommandContext } from './program/context.ts';
import type { Cli } from './program/run-program.ts';
import { confirm } from './program/terminal.ts';

export function keyShow({ command, run }: Cli): void {
  command('key show', 'Prints the project’s secret key.')
    .addHelpText('after', '\nIt is for your own servers: no row policy limits what they do with it.')
    .action(
      run(async ({ project, show }) => {
        const { secretKey } = await project();
        show({ secretKey }, secretKey);
      }),
    );
}

export function keyRotate({ command, run }: Cli): void {
  command('key rotate', 'Creates a new key: by default, for signing access tokens.')
    .addOption(new Option('--key <key>', 'Which key.').choices(['access', 'refresh', 'secrets'] as const))
    .option('--revoke', 'For a stolen key: what the old keys have signed becomes invalid at once.')
    .addOption(
      new Option(
        '--secret-key',
        'Replaces the project’s secret key instead, and prints the new one.',
      ).conflicts(['revoke', 'key']),
    )
    .addHelpText(
      'after',
      `
Nobody is signed out. All servers use the new key by themselves; a new secret key after their next start.
access   Tokens of the old key stay valid until they expire.
refresh  It signs codes, unsubscribe links and the cookies of known browsers, and seals waiting mails. What the old keys have made stays
         valid; with --revoke it does not, and neither do recovery codes.
secrets  Secrets of projects and of authenticator apps are sealed anew, in all projects.
Versions before this one cannot read a rotated key of the last two kinds: upgrade all servers first.`,
    )
    .action(
      run(
        async (
          { config, definition, definitions, keyStore, project, show },
          { key = 'access', revoke = false, secretKey: isSecretKey },
        ) => {
          const { database } = await project();
          const record = (details: Record<string, unknown>) =>
            recordEvent(authWriter(database), {
              event: 'key-rotated',
              userId: null,
              ip: null,
              device: null,
              details: { ...details, by: 'operator' },
            });
          if (isSecretKey) {
            if (definition.id === config.projectId && config.secretKey !== undefined) {
              throw new CommandError('The secret key is the setting SECRET_KEY: change it there.');
            }
            const secretKey = await replaceProjectSecret(await keyStore(), definition.id);
            await record({ secretKey: true });
            return show({ secretKey }, secretKey);
          }
          if (key !== 'access') {
            const store = await keyStore();
            const sealAnew = (keys: KeyRing) => sealAllAnew({ config, definitions }, keys);
            if (key === 'refresh') await rotateRefreshKey(store, { revoke });
            else await rotateSecretsKey(store, { revoke, sealAnew });
            await record({ key, revoke });
            return show(
              { key },
              `There is a new key for ${key === 'refresh' ? 'refresh tokens' : 'secrets'}.`,
            );
          }
          const kid = await rotateSigningKey(await keyStore(), { revoke });
          await record({ kid, revoke });
          show({ kid }, kid);
        },
      ),
    );
}

/** Seals the secrets of all projects with the current key. */
async function sealAllAnew(
  { config, definitions }: Pick<CommandContext, 'config' | 'definitions'>,
  keys: KeyRing,
): Promise<void> {
  for (const definition of definitions) {
    await withDatabase({ config, definition }, async (database) => {
      await sealFactorsAnew(database, keys);
      await sealSecretsAnew(database, definition.id, keys);
    });
  }
}

export function keyReset({ command, run }: Cli): void {
  command('key reset', 'Removes all keys, where the secret that opens them is lost.')
    .option('--yes', 'Skips the confirmation.')
    .addHelpText(
      'after',
      `
For a MASTER_KEY (or keys/master.key) that nobody has any more: Fabrica does not start without it. Stop Fabrica first, and make a backup. The
next start makes new keys. Everybody is signed out, projects get other secret keys, and what was sealed can no longer be read: secrets of
users (they set them again), authenticator apps ("user reset-factors"), mails in the outbox.`,
    )
    .action(
      run(async ({ config, definitions, terminal, show }, { yes }) => {
        const definition = definitions.find(({ id }) => id === config.projectId);
        if (!definition)
          throw new CommandError(`The project "${config.projectId}" of PROJECT_ID is not defined.`);
        if (!yes) {
          await confirm(terminal, {
            question: 'Remove all keys, sign everybody out, and give up what is sealed with them?',
            notInteractive: 'Nobody can be asked here whether the keys may be removed: say so with --yes.',
            declined: 'Nothing was removed.',
          });
        }
        const removed = await lockedAlone(config, () => withDatabase({ config, definition }, removeKeys));
        const names = removed.join(', ') || 'nothing: there were no keys';
        show({ removed }, `Removed ${names}. The next start makes new ones.`);
      }),
    );
}

export function keyBackup({ command, run }: Cli): void {
  command('key backup', 'Makes a pair of keys for backups that leave this machine.')
    .addHelpText(
      'after',
      `
BACKUP_RECIPIENT gets the public one. The secret one reads the backups (restore --identity): write it to a file, and keep that where
neither the backups nor this machine are. The keys are those of age (https://age-encryption.org).`,
    )
    .action(
      run(
        async ({ show }) => {
          const { recipient, identity } = await makeBackupKeys();
          show({ recipient, identity }, `# public key: ${recipient}\n${identity}`);
        },
        { needsData: false },
      ),
    );
}
