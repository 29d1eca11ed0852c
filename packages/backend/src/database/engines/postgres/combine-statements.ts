/** A quoted name or text, in which nothing is a parameter, or the number of one. */
const PARAMETER = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g;

/** A statement with more parameters, such as a list of ids, is not repeated. */
const MAX_PARAMETERS = 32;

/** Types of PostgreSQL by those of the values of parameters. */
const TYPES: Readonly<Record<string, string>> = { string: 'text', number: 'bigint' };

/** A statement as text, with the number of its parameters. */
export interface StatementText {
  text: string;
  parameters: number;
}

/** Returns a statement whose only row is that of all of these, each of which returns one row, behind one another. */
export function joinStatements(statements: readonly StatementText[]): string {
  let before = 0;
  const parts = statements.map(({ text, parameters }, index) => {
    const shift = before;
    before += parameters;
    return `(${replaceParameters(text, (position) => `$${position + shift}`)}) AS r${index}`;
  });
  return `SELECT * FROM ${parts.join(', ')}`;
}

/**
 * Returns a statement that runs another one, which returns one row, with several values for each of its parameters: each of its own
 * parameters is an array. Each row begins with the position of its values, from 1 on. Returns undefined where `typesOf` does.
 */
export function repeatStatement(text: string, values: readonly unknown[]): string | undefined {
  const types = typesOf(values);
  if (!types) return undefined;
  // In a SELECT of its own, an array has the same length for the planner whatever it holds, so that one plan is made for all.
  const arrays = types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(', ');
  const names = types.map((_, index) => `v${index + 1}`).join(', ');
  const repeated = replaceParameters(text, (position) => `given.v${position}`);
  return `SELECT given.n, r.* FROM unnest(${arrays}) WITH ORDINALITY AS given(${names}, n) CROSS JOIN LATERAL (${repeated}) AS r`;
}

/** Returns PostgreSQL's types of values; undefined where one is neither a text nor an integer, for no values, and for more than 32. */
export function typesOf(values: readonly unknown[]): string[] | undefined {
  if (values.length > MAX_PARAMETERS) return undefined;
  const types = values.flatMap((value) => {
    const isFit = typeof value !== 'number' || Number.isSafeInteger(value);
    return (isFit && TYPES[typeof value]) || [];
  });
  return types.length > 0 && types.length === values.length ? types : undefined;
}

function replaceParameters(text: string, replace: (position: number) => string): string {
  return text.replace(PARAMETER, (found, position?: string) =>
    position ? replace(Number(position)) : found,
  );
}
