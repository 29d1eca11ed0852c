import type { KeyboardEvent } from 'react';

/** Moves the focus through the items of a menu by the arrow keys, Home and End. Returns false for any other key. */
export function moveFocus(event: KeyboardEvent, items: readonly HTMLElement[]): boolean {
  const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? items.length - 1 : at - 1,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return false;
  event.preventDefault();
  items.at(target % items.length)?.focus();
  return true;
}
