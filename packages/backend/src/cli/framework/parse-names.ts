/** `a,b` → `['a', 'b']`; none for what was not given. */
export function parseNames(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
