import type { Language } from '../../../project/languages.ts';
import { escapeXml, xmlElement } from '../../../project/write-xml.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import type { Messages } from '../../language/load-messages.ts';
import { OWN_LANGUAGE } from '../../language/own-language.ts';
import { canonicalUrl } from '../../layout/metadata.ts';
import { addressOf } from '../../post/post-address.ts';
import type { ImageWords, ShownPicture } from '../../post/present-post.ts';
import { describeTrust } from '../../post/translation/describe-trust.ts';
import type { FeedPost } from './load-feed.ts';
import {
  type HtmlContext,
  writeLink,
  writeNodes,
  writeNote,
  writePicture,
  writePlainText,
} from './write-nodes.ts';

/** Holds what all entries of a feed have in common. */
export interface FeedContext {
  /** The language of the feed. */
  language: Language;
  /** The journal's URL without a trailing slash. */
  publicUrl: string;
  /** The origin of the files' URLs; empty when it is the journal's own. */
  storageOrigin: string;
  m: Messages;
}

/** Pixels of the pictures in a feed, which fit most windows of feed readers. */
const PICTURE_WIDTH = 1280;

/**
 * Returns a post as HTML: what its page says about the language, its cover, its text with notes and references, and its
 * further pictures. Addresses are absolute, because feed readers show the text elsewhere.
 */
export function writeContent(post: FeedPost, context: FeedContext): string {
  const { language, m } = context;
  const page = canonicalUrl({ ...addressOf(post), publicUrl: context.publicUrl, language });
  const html: HtmlContext = {
    texts: m.post,
    titles: OWN_LANGUAGE[post.textLanguage ?? language],
    linkUrl: (url) => (url.startsWith('#') ? `${page}${url}` : absoluteUrl(url, context)),
    imageUrl: (url) => absoluteUrl(resizedUrl(url, PICTURE_WIDTH, 'jpeg'), context),
  };
  const { image, imageWords } = post;
  return [
    writeLanguageNotes(post, context),
    writeRoles(post, m),
    image.url && writeShown({ image, words: imageWords }, post, html),
    writeText(post, html),
    writeReferences(post, html),
    ...(post.pictures ?? []).map((picture) => writeShown(picture, post, html)),
  ].join('');
}

/** Returns the absolute URL of a path of this site; any other URL as it is. */
export function absoluteUrl(
  url: string,
  { publicUrl, storageOrigin }: Pick<FeedContext, 'publicUrl' | 'storageOrigin'>,
): string {
  if (!url.startsWith('/')) return url;
  return `${url.startsWith('/storage/') && storageOrigin ? storageOrigin : publicUrl}${url}`;
}

/** Says that a text is not in the language of the feed, or where a translation comes from. */
function writeLanguageNotes(post: FeedPost, { language, publicUrl, m }: FeedContext): string {
  const { textLanguage, translation } = post;
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const nameOf = (code: Language) => names.of(code) ?? code;
  if (textLanguage !== null && textLanguage !== language) {
    return writeNote(m.post.notInLanguage(nameOf(language), nameOf(textLanguage)));
  }
  if (!translation) return '';
  const { source } = translation;
  const original = source && canonicalUrl({ ...addressOf(post), publicUrl, language: source });
  const words = source && escapeXml(m.post.translation.originalIn(nameOf(source)));
  const link = original && words ? ` ${xmlElement('a', { href: original, hreflang: source }, words)}` : '';
  return writeNote(describeTrust(translation, m, language).join(' '), link);
}

/** Names the translators and illustrators; authors stand in the entry itself. */
function writeRoles({ byline }: FeedPost, m: Messages): string {
  const roles = byline.flatMap(({ name, role }) => (role === 'author' ? [] : [m.post.roles[role](name)]));
  return roles.length > 0 ? writeNote(roles.join(' · ')) : '';
}

function writeShown({ image, words }: ShownPicture, { title }: FeedPost, html: HtmlContext): string {
  const { alt, caption, credit, licence, marks = [] }: ImageWords = words;
  const { url, width, height } = image;
  const described = alt || html.texts.illustrationOf(title);
  const picture = { url, width, height, alt: described, caption: escapeXml(caption), credit, licence };
  return writePicture(picture, html) + writeLegend(marks, html);
}

/** Lists the notes of a picture's marks. A mark without one is known by its passage. */
function writeLegend(marks: NonNullable<ImageWords['marks']>, { linkUrl }: HtmlContext): string {
  const items = marks.flatMap(({ letter, note, noteLanguage }) => {
    if (note === '') return [];
    const link = xmlElement('a', { href: linkUrl(`#mark-${letter}`) }, letter);
    return [xmlElement('li', { lang: noteLanguage }, link, ` ${escapeXml(note)}`)];
  });
  return items.length > 0 ? xmlElement('ul', {}, ...items) : '';
}

function writeText({ text, content, isPlain, translation }: FeedPost, html: HtmlContext): string {
  if (!isPlain) return text ? writeNodes(text.nodes, html) : '';
  const changed = translation?.changed ?? [];
  const note = writeNote(html.texts.translation.changedHere);
  const parts = changed.map(
    ([, end], index) => writePlainText(content.slice(changed[index - 1]?.[1] ?? 0, end)) + note,
  );
  return [...parts, writePlainText(content.slice(changed.at(-1)?.[1] ?? 0))].join('');
}

function writeReferences({ text }: FeedPost, { texts }: HtmlContext): string {
  const references = text?.references ?? [];
  if (references.length === 0) return '';
  const items = references.map(({ parts }) =>
    xmlElement(
      'li',
      {},
      ...parts.map(({ text: words, url }) => (url ? writeLink(url, escapeXml(words)) : escapeXml(words))),
    ),
  );
  return xmlElement('h2', {}, escapeXml(texts.text.references)) + xmlElement('ol', {}, ...items);
}
