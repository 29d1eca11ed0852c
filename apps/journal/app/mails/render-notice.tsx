import { render } from '@react-email/render';
import { DEFAULT_LANGUAGE, isLanguage } from '../../project/languages.ts';
import { NAMED, NEW_COMMENTS } from '../../project/notice-kinds.ts';
import { shorten, toOneLine } from '../../project/shorten.ts';
import { loadMessages } from '../language/load-messages.ts';
import { CommentsMailTemplate } from './comments-mail.tsx';
import { loadMailMessages } from './load-mail-messages.ts';
import type { CommentsContent, MailSite, Notice, RenderNotice } from './mail-content.ts';

/** The maximum numbers of characters that a mail quotes. */
const MAX_COMMENT_LENGTH = 400;
const MAX_TITLE_LENGTH = 100;

/** Renders a mail about new comments, or about bylines that name the account, in its language, as HTML and as text. */
export const renderNotice: RenderNotice = async (notice, site) => {
  if (notice.kind !== NEW_COMMENTS && notice.kind !== NAMED) return undefined;
  const content = await writeNotice(notice, site);
  return {
    senderName: site.name,
    subject: content.subject,
    html: await render(<CommentsMailTemplate {...content} />),
    text: noticeText(content),
  };
};

async function writeNotice(
  { kind, about, rows, total, stopLink, siteUrl, ...notice }: Notice,
  site: MailSite,
): Promise<CommentsContent> {
  const language = isLanguage(notice.language) ? notice.language : DEFAULT_LANGUAGE;
  const [messages, { layout, post: onPost }] = await Promise.all([
    loadMailMessages(language),
    loadMessages(language),
  ]);
  const tagline = site.tagline ?? layout.tagline;
  const common = { language, siteName: site.name, tagline, siteUrl, stopLink };
  if (kind === NAMED) {
    const { title, lead, ...texts } = messages.named;
    const subject = title(total, site.name);
    const link = `${siteUrl}/account?lang=${language}#bylines`;
    const stop = `${stopLink}&kind=${NAMED}`;
    return {
      ...common,
      ...texts,
      stopLink: stop,
      subject,
      title: subject,
      lead: lead(total),
      comments: [],
      more: '',
      link,
    };
  }
  const texts = messages[NEW_COMMENTS];
  const post = oneLine(String(about[`title_${language}`] || about.title), MAX_TITLE_LENGTH);
  const omitted = total - rows.length;
  return {
    ...common,
    subject: texts.subject(total, post),
    title: texts.title(total),
    lead: texts.lead(post),
    comments: rows.map(({ id, user_name: name, content }) => ({
      id: String(id),
      name: name === 'Anonymous' ? onPost.comments.anonymous : oneLine(String(name), MAX_TITLE_LENGTH),
      text: shorten(stripControls(String(content)).trim(), MAX_COMMENT_LENGTH),
    })),
    more: omitted > 0 ? texts.more(omitted) : '',
    button: texts.button,
    link: `${siteUrl}/post/${encodeURIComponent(String(about.id))}?lang=${language}`,
    why: texts.why,
    stop: texts.stop,
  };
}

/** Returns the mail as plain text. */
function noticeText(content: CommentsContent): string {
  const { title, lead, comments, more, button, link, why, stop, stopLink } = content;
  return `${[
    title,
    lead,
    // Every line is marked as quoted, so that a comment cannot look like a part of the mail.
    ...comments.map(({ name, text }) => `${name}:\n${text.replaceAll(/^/gm, '> ')}`),
    ...(more ? [more] : []),
    `${button}:\n${link}`,
    why,
    `${stop}:\n${stopLink}`,
    `-- \n${content.siteName}: ${content.tagline}\n${content.siteUrl}`,
  ].join('\n\n')}\n`;
}

/** Returns a user's text on one line, because a line break in a mail header would start another header. */
function oneLine(text: string, length: number): string {
  return shorten(toOneLine(stripControls(text)), length);
}

/** Removes control characters, changes of text direction, and all but one blank line in a row. */
function stripControls(text: string): string {
  return text
    .replaceAll(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replaceAll(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replaceAll(/\n\s*\n/g, '\n\n');
}
