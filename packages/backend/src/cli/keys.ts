import { guardOf, makeBackupKeys } from '../backup/index.ts';
import { replaceProjectSecret, rotateSigningKey } from '../core/keys.ts';
import { removeKeys } from '../database/index.ts';
import { authWriter, recordEvent } from '../services/auth/index.ts';
import { defineCommand } from './framework/command.ts';
import { CommandError, usageError } from './framework/command-error.ts';
import { confirm } from './framework/terminal.ts';
import { withDatabase } from './migrate/database.ts';

export const keyShow = defineCommand({
  name: 'key show',
  arguments: [],
  options: {},
  summary: 'Prints the project’s secret key.',
  details: 'It is for your own servers: no row policy limits what they do with it.',
  async run({ project, terminal, json }) {
    const { secretKey } = await project();
    terminal.print(json ? JSON.stringify({ secretKey }, null, 2) : secretKey);
  },
});

export const keyRotate = defineCommand({
  name: 'key rotate',
  arguments: [],
  options: {
    revoke: { description: 'For a stolen key: tokens of the old keys become invalid at once.' },
    'secret-key': { description: 'Replaces the project’s secret key instead, and prints the new one.' },
  },
  summary: 'Creates a new key for signing access tokens.',
  details:
    'Tokens of the old key stay valid until they expire, and nobody is signed out. All servers use the new key by themselves; a new secret key after their next start.',
  async run({ options: { revoke = false, 'secret-key': isSecretKey = false }, ...call }) {
    const { config, definition, keyStore, project, terminal, json } = call;
    if (revoke && isSecretKey) throw usageError('--revoke and --secret-key do not go together.');
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
      return terminal.print(json ? JSON.stringify({ secretKey }, null, 2) : secretKey);
    }
    const kid = await rotateSigningKey(await keyStore(), { revoke });
    await record({ kid, revoke });
    terminal.print(json ? JSON.stringify({ kid }, null, 2) : kid);
  },
});

export const keyReset = defineCommand({
  name: 'key reset',
  arguments: [],
  options: { yes: { description: 'Skips the confirmation.' } },
  summary: 'Removes all keys, where the secret that opens them is lost.',
  details: `For a MASTER_KEY (or keys/master.key) that nobody has any more: Fabrica does not start without it. Stop Fabrica first, and make a backup. The
next start makes new keys. Everybody is signed out, projects get other secret keys, and what was sealed can no longer be read: secrets of
users (they set them again), authenticator apps ("user reset-factors"), mails in the outbox.`,
  async run({ options, config, definitions, terminal, json }) {
    const definition = definitions.find(({ id }) => id === config.projectId);
    if (!definition)
      throw new CommandError(`The project "${config.projectId}" of PROJECT_ID is not defined.`);
    if (!options.yes) {
      await confirm(terminal, {
        question: 'Remove all keys, sign everybody out, and give up what is sealed with them?',
        notInteractive: 'Nobody can be asked here whether the keys may be removed: say so with --yes.',
        declined: 'Nothing was removed.',
      });
    }
    const lock = await guardOf(config).lockExclusive();
    if (!lock) throw new CommandError('Fabrica is running on this data, or a command is: stop it first.');
    try {
      const removed = await withDatabase({ config, definition }, removeKeys);
      terminal.print(
        json
          ? JSON.stringify({ removed }, null, 2)
          : `Removed ${removed.join(', ') || 'nothing: there were no keys'}. The next start makes new ones.`,
      );
    } finally {
      await lock.release();
    }
  },
});

export const keyBackup = defineCommand({
  name: 'key backup',
  arguments: [],
  options: {},
  needsNoData: true,
  summary: 'Makes a pair of keys for backups that leave this machine.',
  details: `BACKUP_RECIPIENT gets the public one. The secret one reads the backups (restore --identity): write it to a file, and keep that where
neither the backups nor this machine are. The keys are those of age (https://age-encryption.org).`,
  async run({ terminal, json }) {
    const { recipient, identity } = await makeBackupKeys();
    terminal.print(
      json ? JSON.stringify({ recipient, identity }, null, 2) : `# public key: ${recipient}\n${identity}`,
    );
  },
});
