import { Fragment, type ReactNode } from 'react';
import { linkFinder, WRITTEN_LINK_REL } from './find-links.ts';

export interface PlainTextProps {
  text: string;
  /** The places of the passages that something follows. */
  passages?: readonly (readonly [start: number, end: number])[] | undefined;
  after?: (start: number) => ReactNode;
}

/** Matches the blank lines between two blocks. */
const BLANK_LINES = /(?:(?:\r\n|\r(?!\n)|\n)[^\S\r\n]*){2,}/;

/** Characters for each paragraph and each link of a text, on average, beyond the first 200: what has more would take long to render. */
const CHARACTERS_PER_PART = 40;

/** Returns how many paragraphs, and how many links, a text of this length may have. */
export function mostParts(length: number): number {
  return Math.max(200, Math.floor(length / CHARACTERS_PER_PART));
}

/** Returns the blocks of a plain text, which blank lines separate. Where there are too many, the last one has all others. */
export function blocksOf(text: string): string[] {
  const blocks = text
    .split(BLANK_LINES)
    .map((block) => block.trim())
    .filter((block) => block !== '');
  const last = mostParts(text.length) - 1;
  return blocks.length > last + 1 ? [...blocks.slice(0, last), blocks.slice(last).join('\n\n')] : blocks;
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
  const findLinks = linkFinder(mostParts(text.length));
  return blocksOf(text).map((block, order) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other identity
    <p key={order}>
      {findLinks(block).map(({ text: words, url }, at) =>
        url ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a block have no other identity
          <a key={at} href={url} rel={WRITTEN_LINK_REL} className="text-link">
            {words}
          </a>
        ) : (
          words
        ),
      )}
    </p>
  ));
}
