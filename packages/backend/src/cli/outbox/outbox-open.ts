import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { presentSize, printable, printableLines } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { desktopOpener, openOnDesktop } from './open-on-desktop.ts';
import { findMail, readMails, readWhole, type ShownMail } from './read-mails.ts';

export function outboxOpen({ command, run }: Cli): void {
  command('outbox open', 'Shows a mail of the outbox.')
    .argument('<number|id>')
    .option('--text', 'Prints the mail instead of opening a browser.')
    .addHelpText(
      'after',
      '\nNumbers are those of "fabrica outbox"; 1 is the newest. On a desktop the mail opens in the browser, elsewhere it is printed.',
    )
    .action(
      run(async (context, numberOrId, { text }) => {
        const { terminal, json, environment } = context;
        const mail = await readWhole(context, findMail(await readMails(context), numberOrId));
        const opener = json || text || !mail.html ? undefined : desktopOpener(environment);
        if (opener) {
          const path = await writePage(mail);
          if (await openOnDesktop(path, opener, environment)) return terminal.note(`Opened ${path}`);
          await rm(dirname(path), { recursive: true });
        }
        context.show(mail, presentMail(mail));
      }),
    );
}

/** Mails may contain HTML from users: as in a mail program, no script runs and nothing is fetched. */
const ALONE = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">`;

/**
 * Writes the page into a new folder that only its owner may read: the mail's link is as good as a password.
 */
async function writePage({ html }: ShownMail): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'fabrica-mail-')), 'mail.html');
  // The byte order mark says UTF-8, which a mail says in its headers.
  await writeFile(path, `\uFEFF${ALONE}\n${html}`, { mode: 0o600 });
  return path;
}

function presentMail({ at, from, to, subject, text, html, attachments = [], ...mail }: ShownMail): string {
  const headers = {
    From: from,
    To: to,
    Date: at,
    ...(mail.state !== 'kept' && { State: mail.state }),
    ...(mail.lastError && { Error: mail.lastError }),
    Subject: subject ?? '',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${printable(value)}`);
  const files = attachments.map(({ filename, bytes }) => `\n[${printable(filename)}, ${presentSize(bytes)}]`);
  return `${lines.join('\n')}\n\n${printableLines(text || html || '')}${files.join('')}`;
}
