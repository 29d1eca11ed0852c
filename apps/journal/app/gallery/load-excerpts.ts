import type { FabricaClient } from '@fabrica/client';
import { foldText } from '@fabrica/contract';
import type { JournalPost } from '../../project/entities.ts';
import { LANGUAGE_CODES, type Language } from '../../project/languages.ts';
import { localize, localizedColumn, shownLanguage } from '../../project/localize.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import { parseMarkdown, plainText } from '../markdown/parse-markdown.ts';
import { searchedStems } from './search-filter.ts';

/** The words of a text around the first ones that a search has found there, or else its beginning. */
export interface Excerpt {
  /** `null` when it is not known. */
  language: Language | null;
  parts: readonly { words: string; isFound: boolean }[];
}

export interface ExcerptQuery {
  search: string;
  language: Language;
  /** Whether the search looks at the texts of the other languages. */
  elsewhere: boolean;
  parse: ParseMarkdown;
}

/** Characters of an excerpt, and of them before the first word that was found. */
const LENGTH = 150;
const BEFORE = 50;

type Text = Pick<JournalPost, 'id' | 'title' | 'content' | 'contentFormat' | 'language' | 'untranslated'> &
  Parameters<typeof localize>[0];

/** Loads the excerpts of posts, by their ids. Rejects with the client's error. */
export async function loadExcerpts(
  client: FabricaClient,
  ids: readonly string[],
  query: ExcerptQuery,
): Promise<Map<string, Excerpt>> {
  const languages = query.elsewhere
    ? LANGUAGE_CODES.filter((code) => code !== query.language)
    : [query.language];
  const texts = await client.db.table<JournalPost>('journalPosts').list({
    where: { id: { in: [...ids] } },
    limit: ids.length,
    select: [
      ...(['id', 'content', 'contentFormat', 'language', 'untranslated'] as const),
      ...languages.map((code) => localizedColumn('content', code)),
    ],
  });
  const found = await Promise.all(
    texts.map(async (text) => [text.id, await excerptOf(text as Text, languages, query)] as const),
  );
  return new Map(found);
}

/** Returns the excerpt of the first of these languages in which a word is found, or that of the first one. */
async function excerptOf(
  text: Text,
  languages: readonly Language[],
  { search, parse }: ExcerptQuery,
): Promise<Excerpt> {
  const excerpts = [];
  for (const language of languages) {
    const { content } = localize(text, language);
    const words =
      text.contentFormat === 'markdown' ? plainText(await parseMarkdown(content, parse)) : content;
    const excerpt = {
      language: shownLanguage(text, 'content', language),
      parts: cutExcerpt(words, searchedStems(search, language)),
    };
    if (excerpt.parts.some(({ isFound }) => isFound)) return excerpt;
    excerpts.push(excerpt);
  }
  return excerpts[0] ?? { language: null, parts: [] };
}

/** Returns the words around the first one that contains a stem, in parts that were found and parts that were not. */
export function cutExcerpt(text: string, stems: readonly string[]): Excerpt['parts'] {
  const line = text.replace(/\s+/g, ' ').trim();
  const words = [...line.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
  const isFound = ([word]: RegExpMatchArray) => {
    const folded = foldText(word);
    return stems.some((stem) => folded.includes(stem));
  };
  const first = words.find(isFound)?.index ?? 0;
  const start = words.find(({ index }) => index >= first - BEFORE)?.index ?? 0;
  const isWhole = line.length - start <= LENGTH;
  const end = isWhole
    ? line.length
    : (words.findLast(({ index }) => index <= start + LENGTH)?.index ?? line.length);
  const parts: { words: string; isFound: boolean }[] = [];
  let at = start;
  const add = (to: number, isFound: boolean) => {
    if (to > at) parts.push({ words: line.slice(at, to), isFound });
    at = to;
  };
  if (start > 0) parts.push({ words: '… ', isFound: false });
  for (const word of words) {
    if (word.index < start || word.index >= end || !isFound(word)) continue;
    add(word.index, false);
    add(word.index + word[0].length, true);
  }
  add(isWhole ? end : line.slice(0, end).trimEnd().length, false);
  if (!isWhole) parts.push({ words: ' …', isFound: false });
  return parts;
}
