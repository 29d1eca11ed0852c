import type { SegmentKind } from '../project/translations.ts';

/** The place of a segment within a text, whose rest is the frame that all its translations have too. */
export interface Slot {
  kind: SegmentKind;
  /** Its words, without the marks of the quotations and lists around it, and with line feeds for line breaks. */
  text: string;
  /** Its place in the text, in UTF-16 units. */
  start: number;
  end: number;
  form: SlotForm;
  /** The string that its lines after the first begin with. */
  prefix: string;
}

/**
 * Says how words are written into a slot: as a block of Markdown, on one line, as a cell of a table, as an attribute, as they
 * are within a code block, or as they are.
 */
export type SlotForm = 'block' | 'line' | 'cell' | 'attribute' | 'code' | 'verbatim';

export interface SplitText {
  text: string;
  /** In the order of the text. */
  slots: readonly Slot[];
}
