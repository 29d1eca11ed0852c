import { listSecrets } from '../../services/data/index.ts';
import { defineCommand } from '../framework/command.ts';
import { presentTable } from '../framework/present-table.ts';
import { isoTime, presentTime } from '../framework/present-time.ts';

export const secretList = defineCommand({
  name: 'secret list',
  arguments: [],
  options: {},
  summary: 'Lists the secrets by name; their values are shown to nobody.',
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
