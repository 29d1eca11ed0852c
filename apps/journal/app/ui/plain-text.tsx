import { Fragment, type ReactNode } from 'react';
import { LinkedText } from './linked-text.tsx';

export interface PlainTextProps {
  text: string;
  /** The places of the passages that something follows. */
  passages?: readonly (readonly [start: number, end: number])[] | undefined;
  after?: (start: number) => ReactNode;
}

/** Matches the blank lines between two blocks. */
const BLANK_LINES = /(?:(?:\r\n|\r(?!\n)|\n)[^\S\r\n]*){2,}/;

/** Returns the blocks of a plain text, which blank lines separate. */
export function blocksOf(text: string): string[] {
  return text
    .split(BLANK_LINES)
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

/** Shows a plain text as paragraphs, with its line breaks, and with something after some of its passages. */
export function PlainText({ text, passages = [], after }: PlainTextProps) {
  return (
    <>
      {passages.map(([start, end], at) => (
        <Fragment key={start}>
          <Paragraphs text={text.slice(passages[at - 1]?.[1] ?? 0, end)} />
          {after?.(start)}
        </Fragment>
      ))}
      <Paragraphs text={text.slice(passages.at(-1)?.[1] ?? 0)} />
    </>
  );
}

function Paragraphs({ text }: { text: string }) {
  return blocksOf(text).map((block, order) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other identity
    <p key={order}>
      <LinkedText>{block}</LinkedText>
    </p>
  ));
}
