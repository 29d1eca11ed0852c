import { render } from '@react-email/render';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../../project/languages.ts';
import { loadMessages } from '../language/load-messages.ts';
import { AccountMailTemplate } from './account-mail.tsx';
import { AuthMailTemplate } from './auth-mail.tsx';
import { loadMailMessages, type MailMessages } from './load-mail-messages.ts';
import type {
  AccountContent,
  AuthMail,
  ConfirmationMail,
  LinkMail,
  MailContent,
  OwnerNotice,
  RenderMail,
} from './mail-content.ts';

/** Renders a mail in the recipient's language, as HTML and as text. */
export const renderMail: RenderMail = async (mail, site) => {
  const language = isLanguage(mail.language) ? mail.language : DEFAULT_LANGUAGE;
  const [messages, { layout }] = await Promise.all([loadMailMessages(language), loadMessages(language)]);
  const frame: MailFrame = {
    language,
    siteName: site.name,
    tagline: site.tagline ?? layout.tagline,
    siteUrl: mail.siteUrl,
  };
  if (isLinkMail(mail)) {
    const content = writeLinkMail(mail, messages, frame);
    const html = await render(<AuthMailTemplate {...content} />);
    return { senderName: site.name, subject: content.subject, html, text: linkMailText(content) };
  }
  const content = writeAccountMail(mail, messages, frame);
  const html = await render(<AccountMailTemplate {...content} />);
  return { senderName: site.name, subject: content.subject, html, text: accountMailText(content) };
};

type MailFrame = Pick<MailContent, 'siteName' | 'tagline' | 'siteUrl'> & { language: Language };

function isLinkMail(mail: AuthMail): mail is LinkMail {
  return 'link' in mail;
}

function writeLinkMail(mail: LinkMail, messages: MailMessages, frame: MailFrame): MailContent {
  const { subject, title, lead, button, ignore } = messages[mail.kind];
  return {
    ...frame,
    subject: subject(frame.siteName),
    title,
    lead: lead(new URL(mail.siteUrl).host),
    button,
    link: mail.link,
    linkLead: messages.linkLead,
    linkValid: messages.linkValid(timeInWords(mail.linkMinutes, frame.language)),
    code: mail.code,
    codeLead: messages.codeLead,
    codeValid: messages.codeValid(timeInWords(mail.codeMinutes, frame.language)),
    notes: [ignore, messages.neverAsked],
  };
}

function writeAccountMail(
  mail: ConfirmationMail | OwnerNotice,
  messages: MailMessages,
  frame: MailFrame,
): AccountContent {
  const host = new URL(mail.siteUrl).host;
  if (mail.kind === 'confirm-change') {
    const { subject, title, lead, ignore } = messages[mail.kind];
    const valid = messages.codeValid(timeInWords(mail.codeMinutes, frame.language));
    const notes = [valid, ignore, messages.neverAsked];
    return { ...frame, subject: subject(frame.siteName), title, lead: lead(host), code: mail.code, notes };
  }
  const { subject, title, lead } = messages[mail.kind];
  const { when, device, advice, adviceAfterDeletion, adviceToAdmins } = messages.ownerNotice;
  const special = { 'account-deleted': adviceAfterDeletion, 'role-changed': adviceToAdmins };
  const notes = [
    when(dateInWords(mail.at, frame.language)),
    ...(mail.device ? [device(mail.device)] : []),
    mail.kind in special ? special[mail.kind as keyof typeof special] : advice,
  ];
  const words = lead(host, mail.subject ?? '');
  return { ...frame, subject: subject(frame.siteName), title, lead: words, code: '', notes };
}

/** Returns a date with its time, in UTC: the recipient's time zone is not known. */
function dateInWords(iso: string, language: Language): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, format).format(new Date(iso))} UTC`;
}

/** Returns a duration such as `10 minutes` or `24 Stunden`, in hours when they are whole. */
function timeInWords(minutes: number, language: Language): string {
  const inHours = minutes % 60 === 0;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: inHours ? 'hour' : 'minute',
    unitDisplay: 'long',
  }).format(inHours ? minutes / 60 : minutes);
}

/** Returns the mail as plain text. The link and the code have lines of their own, so that they are easy to copy. */
function linkMailText(content: MailContent): string {
  const { lead, button, link, linkValid, code, codeLead, codeValid, notes } = content;
  return `${[
    content.title,
    lead,
    `${button}:\n${link}`,
    linkValid,
    `${codeLead}\n${code}`,
    codeValid,
    ...notes,
    signature(content),
  ].join('\n\n')}\n`;
}

function accountMailText(content: AccountContent): string {
  const { title, lead, code, notes } = content;
  return `${[title, lead, ...(code ? [code] : []), ...notes, signature(content)].join('\n\n')}\n`;
}

/** Returns the end of a plain text. Mail programs recognize a signature by two dashes and a space. */
function signature({ siteName, tagline, siteUrl }: MailFrame | AccountContent | MailContent): string {
  return `-- \n${siteName}: ${tagline}\n${siteUrl}`;
}
