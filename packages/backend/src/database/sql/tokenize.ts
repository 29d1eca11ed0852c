import type { Lexicon, SqlTokenKind } from './lexicon.ts';

export interface SqlToken {
  kind: SqlTokenKind;
  text: string;
}

/** Yields the tokens of a statement in order; joined, they are the statement. An unterminated token ends with the text. */
export function* tokenize(sql: string, { token, kinds, nestedComments }: Lexicon): Generator<SqlToken> {
  const pattern = new RegExp(token);
  for (let position = 0; position < sql.length; ) {
    pattern.lastIndex = position;
    const found = pattern.exec(sql) ?? [sql.slice(position)];
    const [matched = ''] = found;
    const group = found.findIndex((part, index) => index > 0 && part !== undefined);
    const nested = nestedComments && matched === '/*';
    const text = nested ? sql.slice(position, endOfComment(sql, position)) : matched;
    yield { kind: kinds[group] ?? 'other', text };
    position += text.length;
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
