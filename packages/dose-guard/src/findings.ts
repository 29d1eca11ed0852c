/** The languages whose numbers, units and words the guard reads. */
export type Language = 'en' | 'es' | 'fr' | 'de';

/** Names what differs in numbers, which holds a release back. */
export type BlockingKind =
  | 'number'
  | 'unit'
  | 'comparator'
  | 'range'
  | 'ratio'
  | 'frequency'
  | 'route'
  | 'date'
  | 'percentage'
  | 'sign'
  | 'negation';

/** Names what else differs, for an editor to look at. */
export type WarningKind =
  | 'missing'
  | 'doubled'
  | 'untranslated'
  | 'language'
  | 'link'
  | 'mark'
  | 'term'
  | 'length'
  | 'markup';

/** An excerpt of a text: offsets count UTF-16 code units, as strings do, and `end` is the first one behind it. */
export interface Excerpt {
  text: string;
  start: number;
  end: number;
}

/** A difference between a segment and its translation. A side is null where nothing corresponds there. */
export interface Finding {
  kind: BlockingKind | WarningKind;
  severity: 'block' | 'warning';
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

export interface CompareOptions {
  terms?: readonly Term[];
}
