/**
 * The marks of a Markdown text and what is left of each, in the order in which they are taken away. The patterns mean the same in
 * JavaScript (`gm`) and in PostgreSQL (`gn`). Databases hold texts that were made by them: another rule needs a migration.
 */
export const MARKDOWN_MARKS: readonly (readonly [pattern: string, replacement: string])[] = [
  ['^ *:::+ *[a-z-]*', ''],
  ['(src|width|height)="[^"\n]*"', ''],
  ['(alt|credit|licence)="([^"\n]*)"', '$2'],
  [':cite\\[[^\\[\\]\n]*\\]', ''],
  [':su[bp]\\[([^\\[\\]\n]*)\\]', '$1'],
  [':mark\\[([^\\[\\]\n]*)\\][{]#[a-z][}]', '$1'],
  ['\\[\\^[^\\[\\]\\s]+\\]', ''],
  ['\\]\\([^()\\s]*\\)', ']'],
  ['&#x[0-9A-Fa-f]+;', ' '],
  ['\\\\([^A-Za-z0-9\\s])', '$1'],
  ['[*`]+', ''],
];

/** Returns the words of a Markdown text for a search: without its marks, the places of its links and the names of its parts. */
export function markdownWords(text: string): string {
  return MARKDOWN_MARKS.reduce(
    (left, [pattern, replacement]) => left.replace(new RegExp(pattern, 'gm'), replacement),
    text,
  );
}
