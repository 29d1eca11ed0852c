import { z } from 'zod';

/** Characters of one statement: values belong into parameters. */
const MOST_CHARACTERS = 100_000;
const MOST_PARAMETERS = 1_000;
const MOST_STATEMENTS = 500;

/** Bytes of a body. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const statement = z
  .string()
  .max(MOST_CHARACTERS, `is longer than ${MOST_CHARACTERS} characters: values belong into parameters`);
const value = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be text, a number, true, false or null',
});
const parameters = z
  .array(value)
  .max(MOST_PARAMETERS, `has more than ${MOST_PARAMETERS} values`)
  .nullish()
  .transform((values) => values ?? []);

/** `/sql` of the wire contract. */
export const sqlBody = z.object({ query: statement, params: parameters });

/** `/batch` of the wire contract. */
export const batchBody = z.object({
  statements: z
    .array(z.object({ sql: statement, args: parameters }))
    .min(1, 'has no statement')
    .max(MOST_STATEMENTS, `has more than ${MOST_STATEMENTS} statements`),
  mode: z.enum(['write', 'read']).default('write'),
});
