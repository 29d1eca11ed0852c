import { hostPortOf, SECRET_NAME, saveSecret } from '../../services/data/index.ts';
import { usageError } from '../program/command-error.ts';
import { parseNames } from '../program/parse-values.ts';
import type { Cli } from '../program/run-program.ts';

/** Shorter values could not be told from the rest of a response, which secrets are removed from. */
const MIN_LENGTH = 8;
/** A PEM key has a quarter of this. */
const MAX_LENGTH = 16_000;

export function secretSet({ command, run }: Cli): void {
  command('secret set', 'Stores a secret that users’ requests may use without seeing it.')
    .argument('<name>')
    .option(
      '--host <host>',
      'The host that it may be sent to, such as api.example.com; separate several with commas.',
    )
    .addHelpText(
      'after',
      `
It asks for the value, or reads it from standard input. A request names the secret as {{name}} in its query, headers or
body, and is refused when it goes to any other host.`,
    )
    .action(
      run(async ({ project, keys, terminal, show }, name, { host = '' }) => {
        if (!SECRET_NAME.test(name)) {
          throw usageError(
            'A secret’s name is made of letters, digits and "_", and does not begin with a digit.',
          );
        }
        const hosts = parseHosts(host);
        const typed = terminal.interactive
          ? await terminal.ask(`Value of ${name} (it is not shown): `, { hidden: true })
          : await terminal.readInput();
        const value = typed.replace(/\r?\n$/, '');
        if (value === '') throw usageError('Nothing was given as its value.');
        if (value.length < MIN_LENGTH) throw usageError(`The value needs ${MIN_LENGTH} characters at least.`);
        if (value.length > MAX_LENGTH)
          throw usageError(`The value may have ${MAX_LENGTH} characters at most.`);
        await saveSecret(await project(), (await keys()).secretsKeys, { name, value, hosts });
        show({ name, hosts }, `${name} is kept, for ${hosts.join(', ')}.`);
      }),
    );
}

/** Returns each host in the form that URLs have: lower case, ASCII, without the port of https. */
function parseHosts(given: string): string[] {
  const hosts = parseNames(given);
  if (hosts.length === 0) throw usageError('Say where the secret may be sent to: --host api.example.com');
  return [...new Set(hosts.map(parseHost))];
}

function parseHost(given: string): string {
  const url = /^[^\s/?#@*\\,]+$/.test(given) ? URL.parse(`https://${given}`) : null;
  if (url) return hostPortOf(url);
  throw usageError(`"${given}" is no host, such as api.example.com or api.example.com:8443.`);
}
