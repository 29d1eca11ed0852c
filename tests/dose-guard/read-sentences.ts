import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language, Segment } from '../../packages/dose-guard/src/index.ts';

export const LANGUAGES: readonly Language[] = ['en', 'es', 'fr', 'de'];

/** One sentence in all four languages. */
export interface Sentence {
  title: string;
  /** It is put differently in some language: formats, words for digits, another order. */
  isTricky: boolean;
  /** The set that it belongs to: the rules were written by the public one, and measured on the others before they were mended. */
  set: 'public' | 'held-out' | 'rounds';
  texts: Record<Language, string>;
}

export interface Pair {
  sentence: Sentence;
  source: Segment;
  target: Segment;
}

const FOLDER = fileURLToPath(new URL('sentences', import.meta.url));

/** Reads all sentences. Each begins with a hyphen and its title, followed by a line for each language. */
export function readSentences(): Sentence[] {
  return globSync(`${FOLDER}/*.txt`).sort().flatMap(readSentenceFile);
}

export function readSentenceFile(path: string): Sentence[] {
  return readFileSync(path, 'utf8')
    .split(/^- /m)
    .slice(1)
    .map((block) => readSentence(block, basename(path)));
}

function readSentence(block: string, file: string): Sentence {
  const [heading = '', ...lines] = block.trim().split('\n');
  const [title = '', tricky] = heading.split(', ');
  const texts = Object.fromEntries(lines.map((line) => [line.slice(0, 2), line.slice(3)]));
  for (const language of LANGUAGES) {
    if (!texts[language]) throw new Error(`“${title}” in ${file} lacks ${language}.`);
  }
  return {
    title,
    isTricky: tricky === 'tricky',
    set: file === 'held-out.txt' ? 'held-out' : file.includes('-round') ? 'rounds' : 'public',
    texts: texts as Record<Language, string>,
  };
}

/** Returns each sentence in each direction between two languages: twelve pairs of four texts. */
export function pairsOf(sentences: readonly Sentence[]): Pair[] {
  return sentences.flatMap((sentence) =>
    LANGUAGES.flatMap((from) =>
      LANGUAGES.filter((to) => to !== from).map((to) => ({
        sentence,
        source: { text: sentence.texts[from], language: from },
        target: { text: sentence.texts[to], language: to },
      })),
    ),
  );
}
