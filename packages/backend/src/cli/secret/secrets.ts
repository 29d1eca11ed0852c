import { deleteSecret, listSecrets } from '../../services/data/index.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError } from '../framework/command-error.ts';
import { isoTime, presentTable, presentTime } from '../framework/present.ts';

export const secretList = defineCommand({
  name: 'secret list',
  arguments: [],
  options: {},
  summary: 'Lists the secrets by name; values are never shown.',
  async run({ project, terminal, json }) {
    const secrets = await listSecrets(await project());
    if (json) {
      const shown = secrets.map(({ name, hosts, updated_at }) => ({
        name,
        hosts: hosts.split(','),
        updatedAt: isoTime(updated_at),
      }));
      return terminal.print(JSON.stringify(shown, null, 2));
    }
    if (secrets.length === 0) return terminal.note('There are no secrets.');
    const rows = secrets.map(({ name, hosts, updated_at }) => [name, hosts, presentTime(updated_at)]);
    terminal.print(presentTable(['name', 'hosts', 'set'], rows));
  },
});

export const secretRemove = defineCommand({
  name: 'secret remove',
  arguments: ['<name>'],
  options: {},
  summary: 'Deletes a secret.',
  async run({ arguments: [name = ''], project, terminal, json }) {
    if (!(await deleteSecret(await project(), name))) throw new CommandError(`There is no secret "${name}".`);
    terminal.print(json ? JSON.stringify({ name }, null, 2) : `${name} is forgotten.`);
  },
});
