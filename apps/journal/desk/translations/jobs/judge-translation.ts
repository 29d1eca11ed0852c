import type { Finding, Severity } from '@fabrica/dose-guard';
import type { Language } from '../../../project/languages.ts';
import { recogniseOther } from '../../../project/recognise-language.ts';
import type { Terms } from '../glossary/glossary.ts';
import { examine, type TextPair } from '../records/examine.ts';
import { ENGLISH_NAMES } from './batch-format.ts';
import type { Judgement } from './translate-texts.ts';

/** A finding weighs more than any number of less severe ones. */
const WEIGHTS: Record<Severity, number> = { block: 10_000, doubt: 100, warning: 1 };

/** Returns how good a machine's translation is: one in another language is not used, and one with findings asked for again. */
export function judgeTranslation({ source, target }: TextPair, terms: Terms): Judgement {
  const isForeign = isInOtherLanguage(source, target);
  const findings = examine({ source, target }, terms);
  const faults = findings.reduce((sum, { severity }) => sum + WEIGHTS[severity], 0);
  const reasons = isForeign ? [`It is not in ${ENGLISH_NAMES[target.language]}.`] : findings.map(describe);
  return { isUsable: target.text.trim() !== '' && !isForeign, faults, reasons };
}

/** What the model is told that it has done wrong; the others are differences in what their name says. */
const FAULTS: Partial<Record<Finding['kind'], string>> = {
  missing: 'Words of the text are missing',
  doubled: 'Words are there twice',
  untranslated: 'It is not translated',
  language: 'Words are in another language',
  length: 'It is much longer or shorter than the text',
  link: 'A link differs',
  mark: 'The mark of a note or a citation differs',
  markup: 'The mark-up differs',
  term: 'A term of the list is not used',
};

function describe({ kind, source, target }: Finding): string {
  const quote = (excerpt: Finding['source']) =>
    excerpt ? `“${excerpt.text.slice(0, MAX_QUOTED)}”` : 'nothing like it';
  const what = FAULTS[kind] ?? `The ${kind} differs`;
  return source || target
    ? `${what}: ${quote(source)} in the text, ${quote(target)} in the translation.`
    : `${what}.`;
}

/** Characters of a place that the model is shown. */
const MAX_QUOTED = 120;

/** The language of fewer words is a doubt, which the guard finds. */
const FEWEST_WORDS = 5;

/** Tells whether a translation is in a language that nobody asked for. A quotation stays in its language, and is no wrong answer. */
function isInOtherLanguage(source: TextPair['source'], target: TextPair['target']): boolean {
  if (isShort(target.text)) return false;
  const found = recogniseOther(target.text, target.language);
  if (found === undefined) return false;
  return found === source.language || found !== recogniseOther(source.text, target.language);
}

const isShort = (text: string) => (text.match(/\p{L}+/gu) ?? []).length < FEWEST_WORDS;

/** So many short texts together are in a certain language. */
const FEWEST_TEXTS = 8;

/** Returns the short texts of a translation where they are together in a language that nobody asked for. */
export function findForeign<Text extends { source: string; target: string }>(
  texts: readonly Text[],
  [from, to]: readonly [Language, Language],
): Text[] {
  const short = texts.filter(({ target }) => isShort(target));
  if (short.length < FEWEST_TEXTS) return [];
  const together = (side: 'source' | 'target') => short.map((text) => text[side]).join('. ');
  const pair = {
    source: { text: together('source'), language: from },
    target: { text: together('target'), language: to },
  };
  return isInOtherLanguage(pair.source, pair.target) ? short : [];
}
