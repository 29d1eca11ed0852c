import { createPasswordHasher, createUser, issueMailToken, mailLink } from '../../services/auth/index.ts';
import type { CommandContext } from '../program/context.ts';
import { isoTime, presentTime } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import type { Terminal } from '../program/terminal.ts';
import { tellAdmins } from './mail-notice.ts';
import { accountJson } from './present-account.ts';

export function userCreate({ command, run }: Cli): void {
  command('user create', 'Creates an account.')
    .argument('<email>')
    .option('--name <text>', 'The name that others see.')
    .option('--role <role>', 'The role (default: SIGNUP_ROLE).')
    .option('--verified', 'Marks the e-mail as verified.')
    .option('--password-stdin', 'Reads the password from standard input.')
    .addHelpText(
      'after',
      '\nWithout a password, it prints a link for choosing one. Pass the link on yourself: it is not mailed. All who may give roles are told by mail of a role other than SIGNUP_ROLE.',
    )
    .action(
      run(async (context, email, { name: displayName, role, verified = false, passwordStdin }) => {
        const { terminal } = context;
        const project = await context.project();
        const password = passwordStdin ? await readPassword(terminal) : undefined;
        const { ownWords } = context.config.auth;
        const created = await createUser(project, createPasswordHasher(), {
          ...{ email, displayName, role, emailVerified: verified, password, ownWords },
        });
        await tellAdmins(context, project, created);
        const user = created.person;
        const link = user.password_hash ? undefined : await makeLink(context, user);
        const made = link && { resetUrl: link.url, expiresAt: isoTime(link.expiresAt) };
        const sentences = [`${user.email} is ${user.id}, with the role ${user.role}.`];
        if (link)
          sentences.push(`A password is chosen here, once, until ${presentTime(link.expiresAt)}:`, link.url);
        context.show({ ...accountJson(user), ...made }, sentences.join('\n'));
      }),
    );
}

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
