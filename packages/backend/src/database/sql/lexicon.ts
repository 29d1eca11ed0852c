import type { Database } from '../port.ts';

/** The kind of a token. Quoted texts and names, and comments, may contain what looks like other tokens. */
export type SqlTokenKind =
  | 'space'
  | 'comment'
  | 'quoted'
  | 'word'
  | 'number'
  | 'placeholder'
  | 'named'
  | 'question'
  | 'end'
  | 'other';

/** The lexical rules of an engine's SQL. */
export interface Lexicon {
  /** Matches the next token of any kind. */
  readonly token: RegExp;
  /** The kind of each group of `token`; the first element, for the whole match, is undefined. */
  readonly kinds: readonly (SqlTokenKind | undefined)[];
  /** Whether a comment may contain another one. */
  readonly nestedComments: boolean;
  /** Whether "??" stands for an operator "?". */
  readonly questionOperators: boolean;
  /** Matches the words of a statement that contains others, each with a ";" after it, up to an END. */
  readonly compound: RegExp;
  placeholder(position: number): string;
}

const LETTER = String.raw`[A-Za-z_\u0080-\uffff]`;
const WORD = String.raw`${LETTER}[\w$\u0080-\uffff]*`;
const NUMBER = String.raw`\d\w*(?:\.\w*)?|\.\d\w*`;
const SINGLE = `'(?:[^']+|'')*'?`;
const DOUBLE = `"(?:[^"]+|"")*"?`;
/** Characters that begin no other token. */
const OTHER = String.raw`[(),*+<>=~!^&|%{}\\]+|[^]`;

/** Builds the token pattern. Its groups are numbered rather than named, which takes half the time. */
function tokens(
  sources: readonly (readonly [kind: SqlTokenKind, source: string, groups?: number])[],
): Pick<Lexicon, 'token' | 'kinds'> {
  return {
    token: new RegExp(sources.map(([, source]) => `(${source})`).join('|'), 'y'),
    kinds: [
      undefined,
      ...sources.flatMap(([kind, , groups = 0]) => Array<SqlTokenKind>(1 + groups).fill(kind)),
    ],
  };
}

const sqlite: Lexicon = {
  ...tokens([
    ['space', String.raw`[ \t\n\r\f\ufeff]+`],
    ['comment', String.raw`--[^\n]*|/\*[^]*?(?:\*/|$)`],
    ['quoted', [SINGLE, DOUBLE, '`(?:[^`]+|``)*`?', String.raw`\[[^\]]*\]?`].join('|')],
    ['word', WORD],
    ['number', NUMBER],
    ['question', String.raw`\?\?`],
    ['placeholder', String.raw`\?\d*|\$\d+(?![\w$\u0080-\uffff])`],
    ['named', String.raw`[:@#$][\w$\u0080-\uffff]+`],
    ['end', ';'],
    ['other', OTHER],
  ]),
  nestedComments: false,
  questionOperators: false,
  compound: /^CREATE (?:TEMP |TEMPORARY )?TRIGGER\b/,
  placeholder: (position) => `?${position}`,
};

/** Separates two parts of one text, which are on lines of their own. */
const CONTINUED = String.raw`(?:[ \t\f\v]|--[^\n\r]*(?=[\n\r]))*[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*`;
const ESCAPED = String.raw`'(?:[^'\\]+|''|\\[^])*'?`;

const postgres: Lexicon = {
  ...tokens([
    [
      'quoted',
      [
        `[eE]${ESCAPED}(?:${CONTINUED}${ESCAPED})*`,
        SINGLE,
        DOUBLE,
        // The second group is the tag between the dollars.
        String.raw`\$((?:${LETTER}[\w\u0080-\uffff]*)?)\$[^]*?(?:\$\2\$|$)`,
      ].join('|'),
      1,
    ],
    ['space', String.raw`[ \t\n\r\f\v]+`],
    ['comment', String.raw`--[^\n\r]*|/\*`],
    ['word', WORD],
    ['number', NUMBER],
    ['question', String.raw`\?\?`],
    ['placeholder', String.raw`\?\d*|\$\d+`],
    ['end', ';'],
    ['other', OTHER],
  ]),
  nestedComments: true,
  questionOperators: true,
  compound: /\bBEGIN ATOMIC\b/,
  placeholder: (position) => `$${position}`,
};

export const LEXICONS: Readonly<Record<Database['engine'], Lexicon>> = { sqlite, postgres };
