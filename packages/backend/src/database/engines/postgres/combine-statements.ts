/**
 * Matches a parameter, or a quoted name or text, in which `$1` is no parameter. It does not know comments, dollar quotes or `E''`
 * texts, which compiled statements do not have.
 */
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

/** Returns a statement that joins statements of one row each. Its only row has their columns, one statement after the other. */
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
 * Returns a statement that runs another one, which returns one row, several times. Each of its parameters is an array of the values
 * that the other statement's parameter has, of the given type. Each row begins with the position of its values, from 1 on.
 */
export function repeatStatement(text: string, types: readonly string[]): string {
  // In a SELECT of its own, an array has the same length for the planner whatever it holds, so that one plan is made for all.
  const arrays = types.map((type, index) => `(SELECT $${index + 1}::${type}[])`).join(', ');
  const names = types.map((_, index) => `v${index + 1}`).join(', ');
  const repeated = replaceParameters(text, (position) => `given.v${position}`);
  const given = `unnest(${arrays}) WITH ORDINALITY AS given(${names}, n)`;
  return `SELECT given.n, r.* FROM ${given} CROSS JOIN LATERAL (${repeated}) AS r`;
}

/** Returns PostgreSQL's types of values; undefined when one is neither a text nor an integer, when there are none, or more than 32. */
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
