import { z } from 'zod';

/** Characters of one statement: values belong into parameters. */
const MAX_CHARACTERS = 100_000;
const MAX_PARAMETERS = 1_000;
const MAX_STATEMENTS = 500;

/** Bytes of a body. */
export const MAX_SQL_BODY_BYTES = 4 * 1024 * 1024;

const statement = z
  .string()
  .max(MAX_CHARACTERS, `is longer than ${MAX_CHARACTERS} characters: values belong into parameters`);
const value = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be text, a number, true, false or null',
});
const parameters = z
  .array(value)
  .max(MAX_PARAMETERS, `has more than ${MAX_PARAMETERS} values`)
  .nullish()
  .transform((values) => values ?? []);

/** The body of `/sql` of the wire contract. */
export const sqlBody = z.object({ query: statement, params: parameters });

/** The body of `/batch` of the wire contract. */
export const batchBody = z.object({
  statements: z
    .array(z.object({ sql: statement, args: parameters }))
    .min(1, 'has no statement')
    .max(MAX_STATEMENTS, `has more than ${MAX_STATEMENTS} statements`),
  mode: z.enum(['write', 'read']).default('write'),
});
