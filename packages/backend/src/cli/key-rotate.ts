import { join } from 'node:path';
import { rotateSigningKey } from '../core/keys.ts';
import { authWriter, recordEvent } from '../services/auth/index.ts';
import { defineCommand } from './framework/command.ts';

export const keyRotate = defineCommand({
  name: 'key rotate',
  arguments: [],
  options: {
    revoke: { description: 'For a stolen key: tokens of the old keys become invalid at once.' },
  },
  summary: 'Creates a new key for signing access tokens.',
  details:
    'Tokens of the old key stay valid until they expire, and nobody is signed out. A running server uses the new key by itself.',
  async run({ options: { revoke = false }, config, project, terminal, json }) {
    const { database } = await project();
    const kid = await rotateSigningKey(join(config.dataDir, 'keys'), { revoke });
    await recordEvent(authWriter(database), {
      event: 'key-rotated',
      userId: null,
      ip: null,
      device: null,
      details: { kid, revoke, by: 'operator' },
    });
    terminal.print(json ? JSON.stringify({ kid }, null, 2) : kid);
  },
});
