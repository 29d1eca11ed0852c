import { render } from '@react-email/render';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../language/languages.ts';
import { loadMessages } from '../language/load-messages.ts';
import { AuthMail } from './auth-mail.tsx';
import { loadMailWords } from './load-mail-words.ts';
import type { AuthMail as AuthMailRequest, MailContent, RenderMail } from './mail-content.ts';
import { mailText } from './mail-text.ts';

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
  const [mails, { layout }] = await Promise.all([loadMailWords(language), loadMessages(language)]);
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
