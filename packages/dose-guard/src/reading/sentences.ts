import { setOf } from '../words/table.ts';
import type { Token } from './tokens.ts';

const ENDINGS = setOf('. ! ? …');
/** Abbreviations behind which a sentence goes on. */
const ABBREVIATED = setOf(
  'dr prof z b ca bzw max min mind approx vs etc fig tab abb nr st mio mrd tgl tägl sog ggf inkl evtl aprox bd kap vgl jh tel art cap chap hrsg pág núm dra sra sr m mme no p ex env abs vol chr perz',
);

/** Returns the tokens of each sentence of a text. */
export function splitSentences(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = [];
  let sentence: Token[] = [];
  tokens.forEach((token, at) => {
    sentence.push(token);
    const next = tokens[at + 1];
    if (!ENDINGS.has(token.text) || !next?.spaced) return;
    const before = tokens[at - 1];
    const isAbbreviated =
      token.text === '.' &&
      (ABBREVIATED.has(before?.lower ?? '') || before?.text.length === 1) &&
      before?.kind === 'word';
    // "am 3. Tag" goes on, and so does what begins with a small letter.
    const isOrdinal =
      token.text === '.' && before?.kind === 'number' && !before.spaced === false && before.text.length <= 2;
    const beginsSentence = next.text[0] !== next.lower[0] || next.kind !== 'word';
    if (isAbbreviated || !beginsSentence || (isOrdinal && next.kind === 'word')) return;
    sentences.push(sentence);
    sentence = [];
  });
  if (sentence.length > 0) sentences.push(sentence);
  return sentences;
}
