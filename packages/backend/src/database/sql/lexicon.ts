import type { Database } from '../port.ts';

/** What a part of a statement is. Texts, names in quotes and comments hold what looks like something else. */
export type TokenKind =
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

/** How an engine takes SQL apart, and how it writes placeholders. */
export interface Lexicon {
  /** The next part, whatever it is. */
  readonly token: RegExp;
  /** Of the group of `token` that has matched, the first one being none. */
  readonly kinds: readonly (TokenKind | undefined)[];
  /** A comment may stand within a comment. */
  readonly nestedComments: boolean;
  /** "??" is an operator "?". */
  readonly questionOperators: boolean;
  /** The words of a statement that has others in it, each with a ";" behind it, up to an END. */
  readonly compound: RegExp;
  placeholder(position: number): string;
}

const LETTER = String.raw`[A-Za-z_\u0080-\uffff]`;
const WORD = String.raw`${LETTER}[\w$\u0080-\uffff]*`;
const NUMBER = String.raw`\d\w*(?:\.\w*)?|\.\d\w*`;
const SINGLE = `'(?:[^']+|'')*'?`;
const DOUBLE = `"(?:[^"]+|"")*"?`;
/** Runs of what begins none of the others. */
const OTHER = String.raw`[(),*+<>=~!^&|%{}\\]+|[^]`;

/** Groups are numbered, not named: that takes half the time. */
function tokens(
  sources: readonly (readonly [kind: TokenKind, source: string, groups?: number])[],
): Pick<Lexicon, 'token' | 'kinds'> {
  return {
    token: new RegExp(sources.map(([, source]) => `(${source})`).join('|'), 'y'),
    kinds: [undefined, ...sources.flatMap(([kind, , groups = 0]) => Array<TokenKind>(1 + groups).fill(kind))],
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

/** Between two parts of one text, which must be on lines of their own. */
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
        // The second group of all: what stands between the dollars.
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
