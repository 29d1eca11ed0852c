import type { FabricaClient } from '@fabrica/client';
import { ABOUT_SECTIONS, type AboutSectionName, type SiteTexts } from '../../project/entities.ts';
import type { Language } from '../../project/languages.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import type { MarkdownNode } from '../markdown/parse-markdown.ts';
import {
  imageOf,
  loadSettings,
  loadTexts,
  parseLanguages,
  type SiteImage,
  writtenLanguages,
} from '../site/site.ts';

interface AboutSection {
  name: AboutSectionName;
  /** Null for the title that the section has by default. */
  title: string | null;
  nodes: MarkdownNode[];
}

/** Holds what the operator has written about the site. */
export interface AboutTexts {
  /** The language of the texts, which may be another than the page's. */
  language: string;
  sections: AboutSection[];
  quote: { text: string; source: string | null } | null;
  imageAlt: string | null;
}

interface AboutPage {
  /** Null while the operator has written nothing. */
  texts: AboutTexts | null;
  /** The languages that the texts exist in; all of the site's while the operator has written nothing. */
  languages: readonly Language[];
  image: SiteImage | null;
  /** The first words of the texts; empty without texts. */
  summary: string;
}

/** A description has this many characters. */
const SUMMARY_LENGTH = 160;

/** Loads the page in a language, or in the next best one that it is written in. */
export async function loadAbout({
  client,
  language,
  parseMarkdown: parse,
}: {
  client: Pick<FabricaClient, 'db'>;
  language: Language;
  parseMarkdown: ParseMarkdown;
}): Promise<AboutPage> {
  const [settings, { parseMarkdown, plainText }] = await Promise.all([
    loadSettings(client),
    import('../markdown/parse-markdown.ts'),
  ]);
  const languages = parseLanguages(settings?.languages);
  const rows = await loadTexts(client, language, { languages });
  const row = rows.find(isAboutWritten);
  const image = imageOf(settings?.aboutImageUrl, settings?.aboutImageWidth, settings?.aboutImageHeight);
  if (!row) return { texts: null, languages, image, summary: '' };
  const sections: AboutSection[] = [];
  for (const name of ABOUT_SECTIONS) {
    const [title, text] = [row[`${name}Title`], row[`${name}Text`]];
    if (text !== null) sections.push({ name, title, nodes: await parseMarkdown(text, parse) });
  }
  const quote = row.quoteText === null ? null : { text: row.quoteText, source: row.quoteSource };
  return {
    texts: { language: row.id, sections, quote, imageAlt: row.aboutImageAlt },
    languages: writtenLanguages(rows, { languages }, isAboutWritten),
    image,
    summary: plainText(sections.flatMap(({ nodes }) => nodes)).slice(0, SUMMARY_LENGTH),
  };
}

/** Tells whether there is a text of the operator's in this language. */
export function isAboutWritten(row: SiteTexts): boolean {
  return row.quoteText !== null || ABOUT_SECTIONS.some((name) => row[`${name}Text`] !== null);
}
