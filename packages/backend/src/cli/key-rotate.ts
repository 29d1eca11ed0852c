import { join } from 'node:path';
import { rotateSigningKey } from '../core/keys.ts';
import { authWriter, recordEvent } from '../services/auth/index.ts';
import { defineCommand } from './framework/command.ts';

export const keyRotate = defineCommand({
  name: 'key rotate',
  arguments: [],
  options: {
    revoke: { description: 'For a stolen key: what the old ones have signed is worth nothing at once.' },
  },
  summary: 'Makes a new key for signing access tokens.',
  details:
    'Tokens that the old key has signed stay good until they expire. Nobody is signed out; a running server notices by itself.',
  async run({ options: { revoke = false }, config, project, terminal, json }) {
    const { database } = await project();
    const kid = await rotateSigningKey(join(config.dataDir, 'keys'), { revoke });
    await recordEvent(authWriter(database), {
      event: 'key-rotated',
      userId: null,
      address: null,
      device: null,
      details: { kid, revoke, by: 'operator' },
    });
    terminal.print(json ? JSON.stringify({ kid }, null, 2) : kid);
  },
});
