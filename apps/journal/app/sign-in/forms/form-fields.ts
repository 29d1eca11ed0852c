/** What mails, clocks and keyboards put between digits: spaces of any kind, dashes, dots, invisible marks. */
const BETWEEN = /[\s\p{Pd}\p{Cf}.·]/gu;

/** The six digits of what was typed or pasted (`123 456`, `123-456`); null when there are not six. */
export function parseCode(typed: string): string | null {
  const digits = typed.normalize('NFKC').replace(BETWEEN, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
