import { Fragment, type ReactNode } from 'react';
import { LinkedText } from '../../ui/linked-text.tsx';

export interface SegmentedTextProps {
  text: string;
  /** The places of the paragraphs that something follows. */
  paragraphs: readonly (readonly [start: number, end: number])[];
  after: (start: number) => ReactNode;
}

/** Shows a plain text with something after some of its paragraphs. */
export function SegmentedText({ text, paragraphs, after }: SegmentedTextProps) {
  // What follows a paragraph is a block, which ends the line.
  const cut = (from: number, to?: number) => text.slice(from, to).replace(from > 0 ? /^[^\S\n]*\n/ : '', '');
  return (
    <>
      {paragraphs.map(([start, end], at) => (
        <Fragment key={start}>
          <LinkedText>{cut(paragraphs[at - 1]?.[1] ?? 0, end)}</LinkedText>
          {after(start)}
        </Fragment>
      ))}
      <LinkedText>{cut(paragraphs.at(-1)?.[1] ?? 0)}</LinkedText>
    </>
  );
}
