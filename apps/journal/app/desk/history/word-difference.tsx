import { useMemo } from 'react';
import { useDeskMessages } from '../use-desk.ts';
import { diffWords } from './word-diff.ts';

export interface WordDifferenceProps {
  before: string;
  after: string;
  /** Shows what was removed, what was added, or both in one text. */
  side?: 'before' | 'after' | 'both';
  lang?: string | undefined;
}

/** Shows a text with the words marked that differ from another one: by colour, by line, and in words for screen readers. */
export function WordDifference({ before, after, side = 'both', lang }: WordDifferenceProps) {
  const texts = useDeskMessages().history;
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return (
    <p lang={lang} className="font-serif leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
      {parts.map(({ kind, text }, place) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
        if (kind === 'same') return <span key={place}>{text}</span>;
        if (kind === 'removed' && side === 'after') return null;
        if (kind === 'added' && side === 'before') return null;
        const Mark = kind === 'removed' ? 'del' : 'ins';
        return (
          <Mark
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            key={place}
            className={
              kind === 'removed'
                ? 'bg-error text-accent decoration-accent/60'
                : 'bg-success/15 text-success no-underline'
            }
          >
            <span className="sr-only">[{kind === 'removed' ? texts.removed : texts.added}: </span>
            {text}
            <span className="sr-only">]</span>
          </Mark>
        );
      })}
    </p>
  );
}
