import { createPasswordHasher, createUser, issueMailToken, mailLink } from '../../services/auth/index.ts';
import { type CommandContext, defineCommand } from '../framework/command.ts';
import { isoTime, presentTime } from '../framework/present.ts';
import type { Terminal } from '../framework/terminal.ts';
import { accountJson } from './present-account.ts';

export const userCreate = defineCommand({
  name: 'user create',
  arguments: ['<email>'],
  options: {
    name: { value: '<text>', description: 'The name that others see.' },
    role: { value: '<role>', description: 'The role (default: SIGNUP_ROLE).' },
    verified: { description: 'Marks the e-mail as verified.' },
    'password-stdin': { description: 'Reads the password from standard input.' },
  },
  summary: 'Creates an account.',
  details:
    'Without a password, it prints a link for choosing one. Pass the link on yourself: it is not mailed.',
  async run({ arguments: [email = ''], options, json, ...context }) {
    const { terminal } = context;
    const project = await context.project();
    const user = await createUser(project, createPasswordHasher(), {
      email,
      displayName: options.name,
      role: options.role,
      emailVerified: options.verified === true,
      password: options['password-stdin'] ? await readPassword(terminal) : undefined,
    });
    const link = user.password_hash ? undefined : await makeLink(context, user);
    if (json) {
      const made = link && { resetUrl: link.url, expiresAt: isoTime(link.expiresAt) };
      return terminal.print(JSON.stringify({ ...accountJson(user), ...made }, null, 2));
    }
    terminal.print(`${user.email} is ${user.id}, with the role ${user.role}.`);
    if (!link) return;
    terminal.print(`A password is chosen here, once, until ${presentTime(link.expiresAt)}:\n${link.url}`);
  },
});

/** Returns a link like the one of a reset mail. */
async function makeLink(
  { config, pages, keys, project }: CommandContext,
  { id: userId, email }: { id: string; email: string },
): Promise<{ url: string; expiresAt: number }> {
  const kind = 'reset-password';
  const { token, expiresAt } = await issueMailToken(await keys(), await project(), { kind, email, userId });
  return { url: mailLink({ publicUrl: config.publicUrl, pages }, { kind }, token), expiresAt };
}

async function readPassword(terminal: Terminal): Promise<string> {
  if (terminal.interactive)
    terminal.note('The password, Enter, and the end of input (Ctrl-D, on Windows Ctrl-Z):');
  // The line end belongs to the terminal or the file, not to the password.
  return (await terminal.readInput()).replace(/\r?\n$/, '');
}
