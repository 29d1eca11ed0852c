import { render } from '@react-email/render';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../language/languages.ts';
import { loadMessages } from '../language/load-messages.ts';
import { AuthMail } from './auth-mail.tsx';
import { loadMailMessages } from './load-mail-messages.ts';
import type { AuthMail as AuthMailRequest, MailContent, RenderMail } from './mail-content.ts';

/** Puts a mail into the recipient's language, as HTML and as text. */
export const renderMail: RenderMail = async (request) => {
  const content = await writeMail(request);
  return {
    subject: content.subject,
    html: await render(<AuthMail {...content} />),
    text: mailText(content),
  };
};

async function writeMail(request: AuthMailRequest): Promise<MailContent> {
  const language = isLanguage(request.language) ? request.language : DEFAULT_LANGUAGE;
  const [mails, { layout }] = await Promise.all([loadMailMessages(language), loadMessages(language)]);
  const { subject, title, lead, button, ignore } = mails[request.kind];
  return {
    language,
    siteName: layout.siteName,
    tagline: layout.tagline,
    siteUrl: request.siteUrl,
    subject,
    title,
    lead: lead(new URL(request.siteUrl).host),
    button,
    link: request.link,
    linkLead: mails.linkLead,
    linkValid: mails.linkValid(timeInWords(request.linkMinutes, language)),
    code: request.code,
    codeLead: mails.codeLead,
    codeValid: mails.codeValid(timeInWords(request.codeMinutes, language)),
    notes: [ignore, mails.neverAsked],
  };
}

/** `10 minutes`, `24 Stunden`: whole hours as such. */
function timeInWords(minutes: number, language: Language): string {
  const inHours = minutes % 60 === 0;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: inHours ? 'hour' : 'minute',
    unitDisplay: 'long',
  }).format(inHours ? minutes / 60 : minutes);
}

/** The mail for who reads no HTML: what is copied (the link, the code) stands on a line of its own. */
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
    // Mail programs know these two dashes and their blank as the beginning of a signature.
    `-- \n${content.siteName}: ${content.tagline}\n${content.siteUrl}`,
  ].join('\n\n')}\n`;
}
