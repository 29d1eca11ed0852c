import { deleteSecret, listSecrets } from '../../services/data/index.ts';
import { CommandError } from '../program/command-error.ts';
import { isoTime, presentTable, presentTime } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';

export function secretList({ command, run }: Cli): void {
  command('secret list', 'Lists the secrets by name; values are never shown.').action(
    run(async ({ project, terminal, json, show }) => {
      const secrets = await listSecrets(await project());
      if (secrets.length === 0 && !json) return terminal.note('There are no secrets.');
      const shown = secrets.map(({ name, hosts, updated_at }) => ({
        name,
        hosts: hosts.split(','),
        updatedAt: isoTime(updated_at),
      }));
      const rows = secrets.map(({ name, hosts, updated_at }) => [name, hosts, presentTime(updated_at)]);
      show(shown, presentTable(['name', 'hosts', 'set'], rows));
    }),
  );
}

export function secretRemove({ command, run }: Cli): void {
  command('secret remove', 'Deletes a secret.')
    .argument('<name>')
    .action(
      run(async ({ project, show }, name) => {
        if (!(await deleteSecret(await project(), name)))
          throw new CommandError(`There is no secret "${name}".`);
        show({ name }, `${name} is forgotten.`);
      }),
    );
}
