import { deleteSecret } from '../../services/data/index.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError } from '../framework/command-error.ts';

export const secretRemove = defineCommand({
  name: 'secret remove',
  arguments: ['<name>'],
  options: {},
  summary: 'Forgets a secret.',
  async run({ arguments: [name = ''], project, terminal, json }) {
    if (!(await deleteSecret(await project(), name))) throw new CommandError(`There is no secret "${name}".`);
    terminal.print(json ? JSON.stringify({ name }, null, 2) : `${name} is forgotten.`);
  },
});
