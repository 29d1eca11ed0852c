import { Suspense, useState } from 'react';
import { loadLater } from '../../ui/load-later.ts';
import type { WordDifferenceProps } from './compared-words.tsx';

/** What compares loads with the first comparison. */
const ComparedWords = loadLater(async () => (await import('./compared-words.tsx')).ComparedWords);

/** Shows a text with the words marked that differ from another one, and until that can be compared, the text alone. */
export function WordDifference(props: WordDifferenceProps) {
  const { before, after, side, lang } = props;
  return (
    <Suspense
      fallback={
        <div lang={lang} className="font-serif leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
          {side === 'before' ? before : after}
        </div>
      }
    >
      <ComparedWords {...props} />
    </Suspense>
  );
}

/** Returns which folded paragraphs are open, by their index, for the two sides of a difference that open them together. */
export function useOpenParts() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const onToggle = (index: number, isOpen: boolean) =>
    setOpen((known) => {
      const next = new Set(known);
      if (isOpen) next.add(index);
      else next.delete(index);
      return next;
    });
  return { open, onToggle };
}
