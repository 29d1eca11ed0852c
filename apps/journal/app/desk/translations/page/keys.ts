import type { KeyboardEvent } from 'react';

/** Names what one key does on the page of a translation. */
export type KeyCommand =
  | 'next'
  | 'previous'
  | 'person'
  | 'accept'
  | 'edit'
  | 'take'
  | 'recall'
  | 'ask'
  | 'overrule'
  | 'history'
  | 'comments'
  | 'filter'
  | 'find'
  | 'release'
  | 'help';

/** The keys of each command, in the order in which the help lists them. They work while a segment has the focus. */
export const KEYS: readonly { command: KeyCommand; keys: readonly string[] }[] = [
  { command: 'next', keys: ['j', 'ArrowDown'] },
  { command: 'previous', keys: ['k', 'ArrowUp'] },
  { command: 'person', keys: ['n'] },
  { command: 'accept', keys: ['a'] },
  { command: 'edit', keys: ['e', 'Enter'] },
  { command: 'take', keys: ['p'] },
  { command: 'recall', keys: ['t'] },
  { command: 'ask', keys: ['m'] },
  { command: 'overrule', keys: ['o'] },
  { command: 'history', keys: ['h'] },
  { command: 'comments', keys: ['c'] },
  { command: 'filter', keys: ['f'] },
  { command: 'find', keys: ['s', '/'] },
  { command: 'release', keys: ['r'] },
  { command: 'help', keys: ['?'] },
];

/**
 * Returns the command of a key that was pressed on a segment or on one of its buttons, or `undefined`: what is typed into a
 * field is text, and a button is pressed with Enter.
 */
export function commandOf(event: KeyboardEvent): KeyCommand | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined;
  const target = event.target as HTMLElement;
  if (target.closest('textarea, input, select, dialog')) return undefined;
  if (event.key === 'Enter' && target !== event.currentTarget && target.closest('button, a'))
    return undefined;
  return KEYS.find(({ keys }) => keys.includes(event.key))?.command;
}

/** Tells how keys are written where a browser has other names for them. */
export const KEY_NAMES: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Enter: '↵' };
