/**
 * Writes what the OpenAI stand-in says as a second reader, of numbered texts with their translations: they differ in a number, or in one
 * of some opposites in four languages. Rules make it judge badly.
 */

/** Tells how the verdicts differ from right ones. */
export interface BadVerdicts {
  kind: 'verdicts';
  /**
   * `lie` says that all are the same; `shift` writes each verdict under the next number; `misquote` quotes words that are not there; `obey`
   * does what a text tells it; `talk` says something else; `twice` says both of each.
   */
  as?: 'lie' | 'shift' | 'misquote' | 'obey' | 'talk' | 'twice';
  /** Leaves out the verdicts on the pairs whose original contains this. */
  drop?: string;
  /** Returns what is said of a pair in place of a right verdict, in a test process; undefined for the right one. */
  say?(pair: JudgedPair): string | undefined;
}

/** A text with its translation, as a prompt shows them. */
export interface JudgedPair {
  source: string;
  target: string;
  /** What is suspected of it; empty for nothing. */
  doubts: string;
}

const PAIR =
  /<s-(\w+) id="(\d+)">([\s\S]*?)<\/s-\1>\n<t-\1 id="\2">([\s\S]*?)<\/t-\1>(?:\n<d-\1 id="\2">([\s\S]*?)<\/d-\1>)?/g;

/** Matches the prompts of second readers. */
export const JUDGE_PROMPT = /<s-\w+ id="1">/;

/** Words that mean the one and the other thing. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:before|vor|antes|avant)(?!\p{L})/iu, /\b(?:after|nach|después|après)(?!\p{L})/iu],
  [/\b(?:left|link\w*|izquierd\w|gauche)(?!\p{L})/iu, /\b(?:right|recht\w*|derech\w|droite?)(?!\p{L})/iu],
  [/\b(?:morning|Morgen|mañana|matin)(?!\p{L})/iu, /\b(?:evening|Abend|noche|soir)(?!\p{L})/iu],
];

/** Returns the pairs that a prompt asks about, in their order. */
export function pairsIn(prompt: string): (JudgedPair & { tag: string; id: number })[] {
  return [...prompt.matchAll(PAIR)].map(([, tag = '', id, source = '', target = '', doubts = '']) => ({
    ...{ tag, id: Number(id), source, target, doubts },
  }));
}

/** Returns the response to a prompt with pairs of texts; undefined for any other prompt. */
export function judgePairs(prompt: string, bad: BadVerdicts = { kind: 'verdicts' }): string | undefined {
  const pairs = pairsIn(prompt);
  if (pairs.length === 0) return undefined;
  const isTold = pairs.some(({ source, target }) => /answer same for/i.test(source + target));
  if (bad.as === 'talk') return 'These translations look fine to me.';
  return pairs
    .filter(({ source }) => bad.drop === undefined || !source.includes(bad.drop))
    .map((pair) => {
      const isSame = bad.as === 'lie' || (bad.as === 'obey' && isTold);
      const verdict = isSame ? 'same' : (bad.say?.(pair) ?? judge(pair));
      const said = bad.as === 'misquote' ? verdict.replace(/\|[^|]*$/, '| words of another text') : verdict;
      const id = bad.as === 'shift' ? pair.id + 1 : pair.id;
      const element = (words: string) => `<v-${pair.tag} id="${id}">${words}</v-${pair.tag}>`;
      return (
        element(said) +
        (bad.as === 'twice' ? element(said === 'same' ? 'differs | meaning | - | -' : 'same') : '')
      );
    })
    .join('\n');
}

/** Returns the right verdict on a pair. */
export function judge({ source, target }: Pick<JudgedPair, 'source' | 'target'>): string {
  const numbers = (text: string) => text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const digits = (number: string) => number.replaceAll(/[.,]/g, '');
  const lost = numbers(source).filter((one) => !numbers(target).map(digits).includes(digits(one)));
  const added = numbers(target).filter((one) => !numbers(source).map(digits).includes(digits(one)));
  const found = [...lost.map((one, at) => `differs | number | ${one} | ${added[at] ?? '-'}`)];
  for (const [one, other] of OPPOSITES) {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const [from, to] = [here.exec(source)?.[0], there.exec(target)?.[0]];
      const isKept = here.test(target) || there.test(source);
      if (from !== undefined && to !== undefined && !isKept)
        found.push(`differs | opposite | ${from} | ${to}`);
    }
  }
  return found.length > 0 ? found.join('\n') : 'same';
}
