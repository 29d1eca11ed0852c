import { useState } from 'react';

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
