import { render } from '@react-email/render';
import { DEFAULT_LANGUAGE, isLanguage } from '../language/languages.ts';
import { loadMessages } from '../language/load-messages.ts';
import { CommentsMail } from './comments-mail.tsx';
import { loadMailMessages } from './load-mail-messages.ts';
import type { CommentsContent, Notice, RenderNotice } from './mail-content.ts';

/** Characters of a comment, and of a title, that a mail quotes. */
const QUOTED = 400;
const TITLE = 100;

/** Puts news about a post into its author's language, as HTML and as text. */
export const renderNotice: RenderNotice = async (notice) => {
  if (notice.kind !== 'new-comments') return undefined;
  const content = await writeNotice(notice);
  return {
    subject: content.subject,
    html: await render(<CommentsMail {...content} />),
    text: noticeText(content),
  };
};

async function writeNotice({
  about,
  rows,
  total,
  stopLink,
  siteUrl,
  ...notice
}: Notice): Promise<CommentsContent> {
  const language = isLanguage(notice.language) ? notice.language : DEFAULT_LANGUAGE;
  const [mails, { layout }] = await Promise.all([loadMailMessages(language), loadMessages(language)]);
  const words = mails['new-comments'];
  const post = oneLine(String(about[`title_${language}`] || about.title), TITLE);
  const hidden = total - rows.length;
  return {
    language,
    siteName: layout.siteName,
    tagline: layout.tagline,
    siteUrl,
    subject: words.subject(total, post),
    title: words.title(total),
    lead: words.lead(post),
    comments: rows.map(({ id, user_name: name, content }) => ({
      id: String(id),
      name: oneLine(String(name), TITLE),
      text: cut(plain(String(content)), QUOTED),
    })),
    more: hidden > 0 ? words.more(hidden) : '',
    button: words.button,
    link: `${siteUrl}/post/${encodeURIComponent(String(about.id))}?lang=${language}`,
    why: words.why,
    stop: words.stop,
    stopLink,
  };
}

/** The mail for who reads no HTML. */
function noticeText(content: CommentsContent): string {
  const { title, lead, comments, more, button, link, why, stop, stopLink } = content;
  return `${[
    title,
    lead,
    // Marked line by line: what somebody wrote cannot be taken for a part of the mail.
    ...comments.map(({ name, text }) => `${name}:\n${text.replaceAll(/^/gm, '> ')}`),
    ...(more ? [more] : []),
    `${button}:\n${link}`,
    why,
    `${stop}:\n${stopLink}`,
    `-- \n${content.siteName}: ${content.tagline}\n${content.siteUrl}`,
  ].join('\n\n')}\n`;
}

/** What somebody wrote, for the head of a mail: no line of it begins another one. */
function oneLine(text: string, length: number): string {
  return cut(plain(text).replaceAll('\n', ' '), length);
}

/** Nothing that a terminal obeys, that turns the rest round, or that leaves a page empty. */
function plain(text: string): string {
  return text
    .replaceAll(/\r\n?|\p{Zl}|\p{Zp}/gu, '\n')
    .replaceAll(/(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replaceAll(/\n\s*\n/g, '\n\n');
}

function cut(text: string, length: number): string {
  const letters = Array.from(text.trim());
  return letters.length > length
    ? `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('');
}
