/** The languages whose numbers, units and words the guard reads. */
export type Language = 'en' | 'es' | 'fr' | 'de';

/**
 * `block`: values contradict each other. `doubt`: what is said, or how, seems to differ. Both keep a language from being released by
 * itself. A `warning` is for an editor to look at.
 */
export type Severity = 'block' | 'doubt' | 'warning';

/** Names what differs, and how severe that is. */
export const SEVERITIES = {
  number: 'block',
  decimal: 'block',
  unit: 'block',
  comparator: 'block',
  range: 'block',
  ratio: 'block',
  frequency: 'block',
  date: 'block',
  percentage: 'block',
  sign: 'block',
  negation: 'doubt',
  opposite: 'doubt',
  route: 'doubt',
  missing: 'doubt',
  doubled: 'doubt',
  language: 'doubt',
  length: 'doubt',
  punctuation: 'doubt',
  link: 'doubt',
  mark: 'doubt',
  markup: 'doubt',
  term: 'doubt',
  untranslated: 'warning',
} as const satisfies Record<string, Severity>;

export type FindingKind = keyof typeof SEVERITIES;

/** Says where something stands: offsets count UTF-16 code units, as strings do, and `end` is the first one behind it. */
export interface Span {
  start: number;
  end: number;
}

/** An excerpt of a text. */
export interface Excerpt extends Span {
  text: string;
}

/** What differs between two texts, by its places. A side is null where nothing corresponds there. */
export interface Difference<Place extends Span = Span> {
  kind: FindingKind;
  source: Place | null;
  target: Place | null;
  /** A translation may well say it otherwise, so that it only warns. */
  isSoft?: true;
}

/** A difference between a segment and its translation. A side is null where nothing corresponds there. */
export interface Finding {
  kind: FindingKind;
  severity: Severity;
  source: Excerpt | null;
  target: Excerpt | null;
}

/** A text of one block, Markdown or plain, with the language that it ought to be in. */
export interface Segment {
  text: string;
  language: Language;
}

/** A glossary entry: how a term is translated, or that it stays as it is. */
export interface Term {
  source: string;
  target: string;
  translate: boolean;
}

/** Returns the language of a text, such as `it`, where it is clearly another one than expected. */
export type RecogniseOther = (text: string, expected: Language) => string | undefined;

export interface CompareOptions {
  terms?: readonly Term[];
  /** Without it, languages are not compared. */
  recogniseOther?: RecogniseOther;
}
