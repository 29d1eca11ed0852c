import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { KeptMail } from '../mail/index.ts';
import { defineCommand } from './command.ts';
import { CommandError } from './command-error.ts';
import { desktopOpener, openOnDesktop } from './open-on-desktop.ts';
import { printable, printableLines } from './printable.ts';
import { readMails } from './read-mails.ts';

export const outboxOpen = defineCommand({
  name: 'outbox open',
  arguments: ['<number|id>'],
  options: { text: { description: 'Prints the mail, without looking for a browser.' } },
  summary: 'Shows a mail of the outbox.',
  details:
    'Numbers are those of "fabrica outbox", 1 being the newest. On a desktop the mail is opened in the browser, elsewhere printed.',
  async run({ arguments: [asked = ''], options, config, terminal, json, environment }) {
    const mail = findMail(await readMails(config, terminal), asked);
    if (json) return terminal.print(JSON.stringify(mail, null, 2));
    const opener = options.text ? undefined : desktopOpener(environment);
    if (opener) {
      const path = await writePage(mail);
      if (await openOnDesktop(path, opener, environment)) return terminal.note(`Opened ${path}`);
      await rm(dirname(path), { recursive: true });
    }
    terminal.print(presentMail(mail));
  },
});

function findMail(mails: readonly KeptMail[], asked: string): KeptMail {
  const mail =
    mails.find(({ id }) => id === asked) ?? (/^\d+$/.test(asked) ? mails[Number(asked) - 1] : undefined);
  if (mail) return mail;
  throw new CommandError(
    mails.length === 0
      ? 'The outbox is empty.'
      : `There is no mail "${asked}": name a number from 1 to ${mails.length}, or an id.`,
  );
}

/** A file in a folder of its own, which only its owner may read: the mail's link is as good as a password. */
async function writePage({ html }: KeptMail): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'fabrica-mail-')), 'mail.html');
  // The mark at the start says UTF-8, which a mail says in its headers.
  await writeFile(path, `\uFEFF${html}`, { mode: 0o600 });
  return path;
}

function presentMail({ at, from, to, subject, text }: KeptMail): string {
  const headers = { From: from, To: to, Date: at, Subject: subject };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${printable(value)}`);
  return `${lines.join('\n')}\n\n${printableLines(text)}`;
}
