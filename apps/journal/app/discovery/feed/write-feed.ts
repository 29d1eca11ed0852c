import { shorten, toOneLine } from '../../../project/shorten.ts';
import { isoTime } from '../../../project/time.ts';
import { escapeXml, xmlElement, xmlFile } from '../../../project/write-xml.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import { alternatesOf, canonicalUrl } from '../../layout/metadata.ts';
import { addressOf } from '../../post/post-address.ts';
import { authorsOf, lastChange, namesOf } from '../../post/post-metadata.ts';
import { describeTrust } from '../../post/translation/describe-trust.ts';
import type { Site } from '../../site/site.ts';
import { siteIcon } from '../../site/site-images.ts';
import { feedPath } from './feed-path.ts';
import type { FeedPost } from './load-feed.ts';
import { absoluteUrl, type FeedContext, writeContent } from './write-content.ts';

interface FeedOptions extends FeedContext {
  site: Site;
  /** Called with the error of a post that cannot be written, without which the feed is sent. */
  reportFailure(error: unknown): void;
}

/** Characters of all texts of a feed together. Posts that do not fit have their summary alone. */
const MAX_CHARACTERS = 1_000_000;
const SUMMARY_LENGTH = 400;
/** Pixels of the picture beside an entry. */
const ENCLOSED_WIDTH = 1280;

/** The term of a category, which says something about an entry's translation, and the same in words for readers. */
type State = readonly [term: string, label: string];

/**
 * Writes posts as an Atom feed (RFC 4287). What is known of a translation stands in the text for readers, in categories for
 * programs, and in elements with the names of schema.org, as in the structured data of the post's page.
 */
export function writeFeed(posts: readonly FeedPost[], options: FeedOptions): string {
  const { language, publicUrl, site, m, reportFailure } = options;
  const url = `${publicUrl}${feedPath(language)}`;
  let updated = 0;
  let left = MAX_CHARACTERS;
  const entries = posts.flatMap((post) => {
    try {
      const content = writeContent(post, options);
      const fits = content.length <= left;
      const entry = writeEntry(post, fits ? content : null, options);
      if (fits) left -= content.length;
      updated = Math.max(updated, lastChange(post));
      return [entry];
    } catch (error) {
      reportFailure(error);
      return [];
    }
  });
  const parts = [
    textElement('id', url),
    textElement('title', site.name),
    textElement('subtitle', site.tagline ?? m.layout.tagline),
    textElement('updated', isoTime(updated)),
    link({ rel: 'self', type: FEED_TYPE, hreflang: language, href: url }),
    link({
      ...{ rel: 'alternate', type: 'text/html', hreflang: language },
      href: canonicalUrl({ publicUrl, path: '/gallery', language }),
    }),
    ...site.languages
      .filter((code) => code !== language)
      .map((hreflang) =>
        link({ rel: 'alternate', type: FEED_TYPE, hreflang, href: `${publicUrl}${feedPath(hreflang)}` }),
      ),
    textElement('icon', `${publicUrl}${siteIcon(site, 'icon-192')}`),
    // Stands for the authors of entries that name none.
    xmlElement('author', {}, textElement('name', site.name), textElement('uri', publicUrl)),
    ...entries,
  ];
  return xmlFile(
    xmlElement(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xmlns:schema': 'https://schema.org/', 'xml:lang': language },
      `\n${parts.join('\n')}\n`,
    ),
  );
}

export const FEED_TYPE = 'application/atom+xml';

function writeEntry(post: FeedPost, content: string | null, options: FeedOptions): string {
  const { language, publicUrl, site } = options;
  const { id, title, titleLanguage, textLanguage, createdAt, languages } = post;
  const address = { ...addressOf(post), publicUrl };
  const isOtherTitle = titleLanguage !== null && titleLanguage !== textLanguage;
  const shownIn = textLanguage ?? undefined;
  const others = alternatesOf({ ...address, languages, site }).filter(
    ({ hrefLang }) => hrefLang !== 'x-default' && hrefLang !== textLanguage && hrefLang !== language,
  );
  const parts = [
    // A translation that is released later is an entry of its own, so that its readers learn of it.
    textElement('id', `${publicUrl}/post/${id}${textLanguage ? `?lang=${textLanguage}` : ''}`),
    textElement('title', title, { 'xml:lang': isOtherTitle ? titleLanguage : undefined }),
    link({
      ...{ rel: 'alternate', type: 'text/html', hreflang: shownIn },
      href: canonicalUrl({ ...address, language }),
    }),
    ...others.map(({ hrefLang: hreflang, href }) =>
      link({ rel: 'alternate', type: 'text/html', hreflang, href }),
    ),
    ...describePicture(post, options),
    textElement('published', isoTime(createdAt)),
    textElement('updated', isoTime(lastChange(post))),
    ...authorsOf(post).map((name) => xmlElement('author', {}, textElement('name', name))),
    ...[...namesOf(post, 'translator'), ...namesOf(post, 'illustrator')].map((name) =>
      xmlElement('contributor', {}, textElement('name', name)),
    ),
    ...describeTranslation(post, options),
    textElement('summary', shorten(toOneLine(post.content), SUMMARY_LENGTH)),
    ...(content === null ? [] : [textElement('content', content, { type: 'html' })]),
  ];
  return xmlElement('entry', { 'xml:lang': shownIn ?? '' }, `\n${parts.join('\n')}\n`);
}

/** The variant of a stored picture is a JPEG; the type of a picture from elsewhere is not known. */
function describePicture({ image: { url } }: FeedPost, context: FeedContext): string[] {
  if (url === '') return [];
  const resized = resizedUrl(url, ENCLOSED_WIDTH, 'jpeg');
  const type = resized === url ? undefined : 'image/jpeg';
  return [link({ rel: 'enclosure', type, href: absoluteUrl(resized, context) })];
}

/** Says what an entry translates, who or what has done so, and how far that was checked. */
function describeTranslation(post: FeedPost, { language, publicUrl, m }: FeedOptions): string[] {
  const { translation, textLanguage } = post;
  const inLanguage = textLanguage ? [textElement('schema:inLanguage', textLanguage)] : [];
  if (!translation) return inLanguage;
  const { source, reviewedBy } = translation;
  const original = source && canonicalUrl({ ...addressOf(post), publicUrl, language: source });
  const scheme = `${publicUrl}/feed.xml#translation`;
  return [
    ...inLanguage,
    ...(original ? [textElement('schema:translationOfWork', original)] : []),
    ...namesOf(post, 'translator').map((name) => textElement('schema:translator', name)),
    ...(reviewedBy ? [textElement('schema:editor', reviewedBy)] : []),
    ...statesOf(translation, { m, language }).map(([term, label]) =>
      xmlElement('category', { scheme, term, label }),
    ),
  ];
}

function statesOf(
  translation: NonNullable<FeedPost['translation']>,
  { m, language }: Pick<FeedOptions, 'm' | 'language'>,
): State[] {
  const { by, checked, isStale, reviewedAt } = translation;
  const texts = m.post.translation;
  const review = { ...translation, checked: false, isStale: false };
  const sentence = describeTrust(review, m, language).at(-1) ?? '';
  return [
    [`translated-by-${by}`, texts.by[by]],
    [reviewedAt === null ? 'not-reviewed' : 'reviewed', sentence],
    ...(checked ? [['numbers-checked', texts.checked] as const] : []),
    ...(isStale ? [['original-changed', texts.changed] as const] : []),
  ];
}

function textElement(
  name: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  return xmlElement(name, attributes, escapeXml(text));
}

function link(attributes: Readonly<Record<string, string | undefined>>): string {
  return xmlElement('link', attributes);
}
