/** Megabytes that a file may have: that of one post, which each author may send, and those of a project. */
export const EXCHANGE_MEGABYTES = { xliff: 4, tbx: 20, tmx: 20 } as const;

/**
 * Why a file of another translation tool is not read. The details of such an error have one of these, which pages say in the
 * language of their reader, and a number where the sentence has one.
 */
export const EXCHANGE_FAULTS = [
  /** It is not well-formed XML. */
  'malformed',
  /** It has more elements, or deeper ones, than are read. */
  'too-complex',
  /** It declares entities. */
  'entities',
  /** It has more megabytes than `number`. */
  'too-large',
  /** It is neither UTF-8 nor UTF-16. */
  'encoding',
  'not-xliff',
  'not-tmx',
  'not-tbx',
  /** It holds no post or several ones, or does not name its two languages. */
  'not-one-post',
  'other-post',
  'other-languages',
  /** It has more pairs than `number`. */
  'too-many',
  /** The glossary would have more terms than `number`. */
  'no-room',
  /** The entry with this `number` has words in one language alone, or too long ones. */
  'entry',
] as const;

export type ExchangeFault = (typeof EXCHANGE_FAULTS)[number];

export interface ExchangeFaultDetails {
  fault: ExchangeFault;
  number?: number;
}
