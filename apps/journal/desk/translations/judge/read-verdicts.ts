import { DIFFERENCE_KINDS, type Difference, type Excerpt } from '../../../project/translations.ts';
import { decodeEntities } from '../../../segments/answers/entities.ts';
import { readElements } from '../../../segments/answers/read-answer.ts';
import type { JudgeQuestion, Pair } from './judge-prompt.ts';

/** Differences of one pair that are kept. */
const MAX_DIFFERENCES = 10;
const NOTHING = /^[-–—]?$/;
const QUOTED = /^(?:"(.*)"|“(.*)”|„(.*)[“”]|«\s*(.*?)\s*»|'(.*)'|`(.*)`)$/s;

/**
 * Returns what a response says of each pair, by its place among those without the control; no differences for texts that say the same. A verdict that is
 * not there, stands twice, or quotes words that its texts do not have is left out. Nothing counts where the control was not found
 * to differ, or a number was not asked for: the model has not read what it was given.
 */
export function readVerdicts(
  response: string,
  { pairs, control, tag }: JudgeQuestion,
): Map<number, Difference[]> {
  const texts = pairs.flatMap(({ source, target }) => [source, target]);
  const written = readElements(response, `v-${tag}`, texts);
  const verdicts = new Map<number, Difference[]>();
  for (const [number, said] of written) {
    const pair = pairs[number - 1];
    if (!pair) return new Map();
    const [verdict = '', other] = said;
    const differences = other === undefined ? readVerdict(verdict, pair) : undefined;
    if (differences) verdicts.set(number - 1, differences);
  }
  if (!verdicts.get(control)?.length) return new Map();
  verdicts.delete(control);
  return new Map([...verdicts].map(([at, found]) => [at < control ? at : at - 1, found]));
}

function readVerdict(verdict: string, pair: Pair): Difference[] | undefined {
  if (/^same\.?$/i.test(verdict)) return [];
  const lines = verdict.split('\n').filter((line) => line.trim() !== '');
  const differences = lines.map((line) => readDifference(line, pair));
  const isWhole = differences.every((one) => one !== undefined);
  return isWhole && differences.length > 0 ? differences.slice(0, MAX_DIFFERENCES) : undefined;
}

/** Returns a difference with the places of its words; undefined where the texts do not have them. */
function readDifference(line: string, pair: Pair): Difference | undefined {
  const [word = '', named = '', ...quotes] = line.split('|').map((part) => part.trim());
  if (!/^differs$/i.test(word) || quotes.length !== 2) return undefined;
  const [source, target] = [find(quotes[0] ?? '', pair.source), find(quotes[1] ?? '', pair.target)];
  if (source === undefined || target === undefined || (source ?? target) === null) return undefined;
  const kind = DIFFERENCE_KINDS.find((one) => one === named.toLowerCase()) ?? 'meaning';
  return { kind, source, target };
}

/** Returns where words stand in a text, whatever the white space between them; null for no words, undefined where it lacks them. */
function find(quote: string, text: string): Excerpt | null | undefined {
  if (NOTHING.test(quote)) return null;
  const inner = QUOTED.exec(quote)
    ?.slice(1)
    .find((one) => one !== undefined);
  for (const words of [quote, inner ?? '', decodeEntities(inner ?? quote, text)]) {
    if (words === '') continue;
    const pattern = words
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\s+/g, String.raw`\s+`);
    const match = new RegExp(pattern, 'iu').exec(text);
    if (match) return { text: match[0], start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}
