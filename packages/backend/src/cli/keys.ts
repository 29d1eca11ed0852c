import { replaceProjectSecret, rotateSigningKey } from '../core/keys.ts';
import { authWriter, recordEvent } from '../services/auth/index.ts';
import { defineCommand } from './framework/command.ts';
import { CommandError, usageError } from './framework/command-error.ts';

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
