import { render } from '@react-email/render';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../language/languages.ts';
import { loadMessages } from '../language/load-messages.ts';
import { AuthMailTemplate } from './auth-mail.tsx';
import { loadMailMessages } from './load-mail-messages.ts';
import type { AuthMail, MailContent, MailSite, RenderMail } from './mail-content.ts';

/** Renders a mail in the recipient's language, as HTML and as text. */
export const renderMail: RenderMail = async (mail, site) => {
  const content = await writeMail(mail, site);
  return {
    senderName: site.name,
    subject: content.subject,
    html: await render(<AuthMailTemplate {...content} />),
    text: mailText(content),
  };
};

async function writeMail(mail: AuthMail, site: MailSite): Promise<MailContent> {
  const language = isLanguage(mail.language) ? mail.language : DEFAULT_LANGUAGE;
  const [messages, { layout }] = await Promise.all([loadMailMessages(language), loadMessages(language)]);
  const { subject, title, lead, button, ignore } = messages[mail.kind];
  return {
    language,
    siteName: site.name,
    tagline: site.tagline ?? layout.tagline,
    siteUrl: mail.siteUrl,
    subject: subject(site.name),
    title,
    lead: lead(new URL(mail.siteUrl).host),
    button,
    link: mail.link,
    linkLead: messages.linkLead,
    linkValid: messages.linkValid(timeInWords(mail.linkMinutes, language)),
    code: mail.code,
    codeLead: messages.codeLead,
    codeValid: messages.codeValid(timeInWords(mail.codeMinutes, language)),
    notes: [ignore, messages.neverAsked],
  };
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
function mailText(content: MailContent): string {
  const { lead, button, link, linkValid, code, codeLead, codeValid, notes } = content;
  return `${[
    content.title,
    lead,
    `${button}:\n${link}`,
    linkValid,
    `${codeLead}\n${code}`,
    codeValid,
    ...notes,
    // Mail programs recognize a signature by two dashes and a space.
    `-- \n${content.siteName}: ${content.tagline}\n${content.siteUrl}`,
  ].join('\n\n')}\n`;
}
