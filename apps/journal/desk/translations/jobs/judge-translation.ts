import type { Severity } from '@fabrica/dose-guard';
import { recogniseOther } from '../../../project/recognise-language.ts';
import type { Terms } from '../glossary/glossary.ts';
import { examine, type TextPair } from '../records/examine.ts';
import type { Judgement } from './translate-texts.ts';

/** A finding weighs more than any number of less severe ones. */
const WEIGHTS: Record<Severity, number> = { block: 10_000, doubt: 100, warning: 1 };

/** Returns how good a machine's translation is: one in another language is not used, and one with findings asked for again. */
export function judgeTranslation({ source, target }: TextPair, terms: Terms): Judgement {
  const isForeign = isInOtherLanguage(source, target);
  const findings = examine({ source, target }, terms);
  const faults = findings.reduce((sum, { severity }) => sum + WEIGHTS[severity], 0);
  return { isUsable: target.text.trim() !== '' && !isForeign, faults };
}

/** The language of fewer words is a doubt, which the guard finds. */
const FEWEST_WORDS = 5;

/** Tells whether a translation is in a language that nobody asked for. A quotation stays in its language, and is no wrong answer. */
function isInOtherLanguage(source: TextPair['source'], target: TextPair['target']): boolean {
  if ((target.text.match(/\p{L}+/gu) ?? []).length < FEWEST_WORDS) return false;
  const found = recogniseOther(target.text, target.language);
  if (found === undefined) return false;
  return found === source.language || found !== recogniseOther(source.text, target.language);
}
