/**
 * Writes what the OpenAI stand-in makes of a prompt with numbered texts (`<seg id="1">…</seg>`): each of them "translated", so that
 * its numbers, units and marks are those of the source and its language can be detected. Rules make it do so badly.
 */

/** Tells how a response to numbered texts differs from a good one. */
export interface BadSegments {
  kind: 'segments';
  /** Leaves out the texts that contain this. */
  drop?: string;
  /** Returns the texts that contain this twice, in different words. */
  double?: string;
  /** Writes all in this language, whichever was asked for. */
  language?: string;
  /** Multiplies each number of the texts that contain this by ten. */
  change?: string;
  /** Returns what is written in place of a good translation, in a test process. */
  rewrite?(translated: string, source: string, language: string): string;
  /** Writes this before and after all texts, in a test process. */
  around?(response: string): string;
  /** Ends in the middle of the response. */
  half?: boolean;
  /** Waits this many milliseconds before each word. */
  dripMs?: number;
}

/** Matches the prompts of translation jobs, and not those of the create page. */
export const JOB_PROMPT = /^Translate to \w+:$/m;

/** Matches the prompts with which jobs ask for a brief of a text. */
export const BRIEF_PROMPT = /^Describe this text:\n([\s\S]*)/;

/** Returns a brief with the first long words of a text as its terms; undefined for any other prompt. */
export function writeBrief(prompt: string, language: string): string | undefined {
  const [, text] = BRIEF_PROMPT.exec(prompt) ?? [];
  if (text === undefined) return undefined;
  const terms = [...new Set(text.match(/\p{L}{9,}/gu))].slice(0, 3);
  const pairs = terms.map((term) => `${term} = ${pseudoTranslate(term, language)}`).join('; ');
  return `Kind: an essay\nReaders: adults without medical training\nRegister: formal\nTerms: ${pairs}`;
}

const SEGMENT = /<(seg\d*) id="(\d+)"(?: kind="\w+")?>([\s\S]*?)<\/\1>/g;

/** Frequent words, by which a language is detected, and some of doses. Others are kept with the ending of the language. */
const WORDS: Record<string, Record<string, string>> = {
  de: {
    ...{
      the: 'die',
      of: 'von',
      and: 'und',
      to: 'zu',
      in: 'in',
      is: 'ist',
      it: 'es',
      for: 'für',
      with: 'mit',
      as: 'wie',
    },
    ...{
      are: 'sind',
      this: 'das',
      on: 'auf',
      not: 'nicht',
      from: 'aus',
      a: 'ein',
      an: 'ein',
      by: 'bei',
      no: 'kein',
    },
    ...{
      that: 'das',
      be: 'sein',
      or: 'oder',
      daily: 'täglich',
      twice: 'zweimal',
      once: 'einmal',
      every: 'alle',
    },
    ...{ hours: 'Stunden', days: 'Tage', weeks: 'Wochen', its: 'seine', leave: 'verlassen' },
  },
  fr: {
    ...{
      the: 'la',
      of: 'de',
      and: 'et',
      to: 'pour',
      in: 'dans',
      is: 'est',
      it: 'il',
      for: 'pour',
      with: 'avec',
    },
    ...{
      as: 'par',
      are: 'sont',
      this: 'cette',
      on: 'sur',
      not: 'pas',
      from: 'des',
      a: 'un',
      an: 'une',
      by: 'par',
    },
    ...{
      no: 'aucun',
      that: 'que',
      be: 'être',
      or: 'ou',
      daily: 'par jour',
      twice: 'deux fois',
      once: 'une fois',
    },
    ...{
      every: 'toutes les',
      hours: 'heures',
      days: 'jours',
      weeks: 'semaines',
      its: 'ses',
      leave: 'quittent',
    },
  },
  es: {
    ...{ the: 'la', of: 'de', and: 'y', to: 'para', in: 'en', is: 'es', it: 'lo', for: 'para', with: 'con' },
    ...{
      as: 'como',
      are: 'son',
      this: 'esta',
      on: 'por',
      not: 'no',
      from: 'del',
      a: 'un',
      an: 'una',
      by: 'por',
    },
    ...{
      no: 'ningún',
      that: 'que',
      be: 'ser',
      or: 'o',
      daily: 'al día',
      twice: 'dos veces',
      once: 'una vez',
    },
    ...{ every: 'cada', hours: 'horas', days: 'días', weeks: 'semanas', its: 'sus', leave: 'dejan' },
  },
  en: {},
};

const ENDINGS: Record<string, string> = { de: 'en', fr: 'e', es: 'o', en: '' };

/** Letters as a language has them, so that words without a translation are not taken for English ones. */
const SPELLINGS: Record<string, readonly (readonly [RegExp, string])[]> = {
  de: [
    [/th/g, 'd'],
    [/w/g, 'v'],
    [/sh/g, 'sch'],
    [/ing/g, 'ung'],
  ],
  fr: [
    [/th/g, 't'],
    [/w/g, 'v'],
    [/sh/g, 'ch'],
    [/ee|y\b/g, 'é'],
    [/oo/g, 'ou'],
    [/ck|k/g, 'qu'],
    [/ing/g, 'ant'],
    [/s$/g, ''],
  ],
  es: [
    [/th/g, 't'],
    [/w/g, 'gu'],
    [/sh/g, 'ch'],
    [/ee|y\b/g, 'í'],
    [/oo/g, 'u'],
    [/ck|k/g, 'c'],
    [/ing/g, 'ando'],
    [/s$/g, 'd'],
  ],
};

/** Matches what stays as it is: URLs, citations, footnote marks, numbers with their units. */
const UNTRANSLATED =
  /\]\([^)]*\)|https?:\/\/\S+|:cite\[[^\]]*\]|\[\^[^\]]*\]|\b\d[\d.,]*(?:\s?(?:%|(?:[kmµμ]?g|mcg|m?l|dl|mmol|IU|mmHg|h|min)(?:\/(?:kg|d|h|min|m?l|dl))*\b))?/giu;

/** Returns the texts with which a prompt asks, in their order. */
export function segmentsOf(prompt: string): string[] {
  return [...prompt.matchAll(SEGMENT)].map(([, , , text = '']) => text);
}

/** Returns the response to a prompt with numbered texts; undefined for any other prompt. */
export function translateSegments(
  prompt: string,
  language: string,
  bad: BadSegments = { kind: 'segments' },
): string | undefined {
  const elements: string[] = [];
  for (const [, tag = '', id = '', text = ''] of prompt.matchAll(SEGMENT)) {
    const has = (part: string | undefined) => part !== undefined && text.includes(part);
    if (has(bad.drop)) continue;
    let translated = pseudoTranslate(text, bad.language ?? language);
    if (has(bad.change)) translated = translated.replaceAll(/\d+/g, (number) => `${number}0`);
    translated = bad.rewrite?.(translated, text, language) ?? translated;
    elements.push(`<${tag} id="${id}">${translated}</${tag}>`);
    if (has(bad.double)) elements.push(`<${tag} id="${id}">${translated} ${translated}</${tag}>`);
  }
  if (segmentsOf(prompt).length === 0) return undefined;
  const whole = elements.join('\n') || 'I cannot translate this.';
  if (bad.around) return bad.around(whole);
  return bad.half ? whole.slice(0, whole.length / 2) : whole;
}

function spellIn(language: string, word: string): string {
  return (SPELLINGS[language] ?? []).reduce((spelt, [sign, other]) => spelt.replaceAll(sign, other), word);
}

/** Returns a translation whose paragraphs begin with its language, as in `[de] Die hearten`. */
export function markedTranslation(text: string, language: string): string {
  const mark = `[${language}] `;
  return mark + pseudoTranslate(text, language).replaceAll(/\n\s*\n/g, (gap) => gap + mark);
}

/** Returns a text that a reader of the language would take for one of it, with the numbers and marks of the source. */
export function pseudoTranslate(text: string, language: string): string {
  const words = WORDS[language] ?? {};
  const ending = ENDINGS[language] ?? '';
  const translate = (part: string) =>
    part.replaceAll(/\p{L}{2,}|\b[aA]\b/gu, (word) => {
      const known = words[word.toLowerCase()];
      if (known === undefined) return word.length > 3 ? spellIn(language, word) + ending : word;
      return /^\p{Lu}/u.test(word) ? known.replace(/^./u, (letter) => letter.toUpperCase()) : known;
    });
  let result = '';
  let end = 0;
  for (const match of text.matchAll(UNTRANSLATED)) {
    result += translate(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return result + translate(text.slice(end));
}
