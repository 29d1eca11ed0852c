import type { Lexicon, TokenKind } from './lexicon.ts';

export interface Token {
  kind: TokenKind;
  text: string;
}

/** The parts of a statement, in order: together they are the statement. What is left open ends with the text. */
export function* tokenize(sql: string, { token, kinds, nestedComments }: Lexicon): Generator<Token> {
  const pattern = new RegExp(token);
  for (let at = 0; at < sql.length; ) {
    pattern.lastIndex = at;
    const found = pattern.exec(sql) ?? [sql.slice(at)];
    const [matched = ''] = found;
    const group = found.findIndex((part, index) => index > 0 && part !== undefined);
    const nested = nestedComments && matched === '/*';
    const text = nested ? sql.slice(at, endOfComment(sql, at)) : matched;
    yield { kind: kinds[group] ?? 'other', text };
    at += text.length;
  }
}

function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}
