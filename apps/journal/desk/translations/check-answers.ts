import { DOCUMENT_LIMITS } from '../../project/document-limits.ts';
import { LANGUAGE_CODES, type Language } from '../../project/languages.ts';
import type { AnswerFault, CheckedAnswer, GivenAnswer } from '../../project/translations.ts';
import { alignTranslation } from '../../segments/align-translation.ts';
import { readAnswer } from '../../segments/answers/read-answer.ts';
import type { DeskContext } from '../desk-context.ts';
import type { Terms } from './glossary/glossary.ts';
import { judgeTranslation } from './jobs/judge-translation.ts';
import type { Original } from './original.ts';
import { examine, isHeldBy, type TextPair } from './records/examine.ts';

interface AnswersToCheck {
  /** The plain texts that a model was asked for, and their language; null where it is not known. */
  title: string;
  content: string;
  language: Language | null;
  answers: readonly GivenAnswer[];
}

/** A translation may be this many times as long as its original, and so many characters for short ones. */
const LONGEST_RATIO = 4;
const LONGEST_MARGIN = 200;

/**
 * Reads what a model has answered to a client that asks it itself, and lets through what a translation job would have released: the
 * answers are read, split and judged as those of jobs are.
 */
export async function checkAnswers(
  { originals, glossary }: Pick<DeskContext, 'originals' | 'glossary'>,
  { title, content, language, answers }: AnswersToCheck,
): Promise<CheckedAnswer[]> {
  const document = { title, content, language };
  const original = await originals.of({ ...document, contentFormat: 'plain', cover: null, pictures: [] });
  const terms = await glossary.load();
  const checked: CheckedAnswer[] = [];
  for (const { field, language: target, text: response } of answers) {
    const part = { field, language: target };
    const text = readAnswer(response, document[field]);
    const isTooLong =
      text !== null &&
      ([...text].length > DOCUMENT_LIMITS[field] ||
        text.length > document[field].length * LONGEST_RATIO + LONGEST_MARGIN);
    const pairs =
      text === null || isTooLong ? null : await pairUp(originals.parse, original, { ...part, text });
    const fault = pairs ? findFault(pairs, original.language, terms) : { fault: 'unusable' as const };
    checked.push(fault ? { ...part, text: null, ...fault } : { ...part, text: text ?? '', fault: null });
  }
  return checked;
}

type Texts = Pick<TextPair, 'target'> & { source: string };

/** Returns the segments of an original with their translations; null where one has none. */
async function pairUp(
  parse: Parameters<typeof alignTranslation>[0]['parse'],
  { split }: Original,
  { field, language, text }: GivenAnswer,
): Promise<Texts[] | null> {
  const source = split.get(field);
  if (!source || source.slots.length === 0) return [];
  const present = source.slots.map(() => null);
  const texts =
    field === 'title' ? [text] : await alignTranslation({ source, format: 'plain', present, text, parse });
  if (texts.includes(null)) return null;
  return source.slots.map((slot, at) => ({ source: slot.text, target: { text: texts[at] ?? '', language } }));
}

/** Returns why a translation is held back; undefined where a job would have released it. */
function findFault(
  pairs: readonly Texts[],
  language: Language | null,
  terms: Terms,
): AnswerFault | undefined {
  // Of an original in an unknown language, a contradiction counts that is there in whichever it is read.
  const readings = language ? [language] : LANGUAGE_CODES;
  const faults = readings.map((reading) => {
    for (const { source: text, target } of pairs) {
      const pair = { source: { text, language: reading }, target };
      if (!judgeTranslation({ ...pair, source: { text, language } }, terms).isUsable)
        return { fault: 'unusable' as const };
      const findings = examine(pair, terms);
      const contradiction = findings.find(({ severity }) => severity === 'block');
      if (contradiction) {
        const { source, target: found } = contradiction;
        const words = { original: source?.text ?? null, translated: found?.text ?? null };
        return { fault: 'numbers' as const, contradiction: words };
      }
      if (language && findings.some((one) => isHeldBy(one, { isOfPerson: false })))
        return { fault: 'unusable' as const };
    }
    return undefined;
  });
  return faults.includes(undefined) ? undefined : faults[0];
}
