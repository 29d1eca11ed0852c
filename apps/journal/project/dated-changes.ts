import type { DatedChanges } from './document.ts';
import type { Language } from './languages.ts';

/** What an author says with a publication about the words that it changes. */
export interface ChangeAnnouncement {
  /** Readers are told no date. */
  small?: boolean | undefined;
  /** One sentence for readers. */
  note?: string | undefined;
}

/** A change of a post's words as its readers learn of it. */
export interface DatedChange {
  at: number;
  note: string | null;
}

/** Returns when the words of a language changed last; `null` where they are those that readers had first. */
export function findChange(column: string | null | undefined, language: Language): DatedChange | null {
  const changes = parseChanges(column);
  const at = changes[language];
  if (at === undefined) return null;
  const { note, original = 0 } = changes;
  return { at, note: note && note.at >= original && note.at <= at ? note.text : null };
}

/** Returns the column for a publication at this time, before the trigger adds what has changed. */
export function announceChange(
  column: string | null | undefined,
  { small, note }: ChangeAnnouncement,
  at: number,
): string | null {
  if (small) return JSON.stringify({ ...parseChanges(column), small: at });
  return note ? JSON.stringify({ ...parseChanges(column), note: { text: note, at } }) : (column ?? null);
}

/** Returns the column for translations that follow the original at this time: those of a small change are as small. */
export function followChange(column: string | null | undefined, at: number): string | null {
  const { small = 0, original = 0 } = parseChanges(column);
  return announceChange(column, { small: small > original }, at);
}

/** What a newer version has stored besides is kept. */
function parseChanges(column: string | null | undefined): DatedChanges {
  return column ? JSON.parse(column) : {};
}
