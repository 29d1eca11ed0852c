import { z } from 'zod';
import { isNestedWithin } from '../../../http/body.ts';

/** Characters of a schema at most, written as JSON. */
const MAX_SIZE = 50_000;
/** Levels of objects and lists in a schema at most; a schema within a schema takes two. */
const MAX_DEPTH = 50;
const MAX_CHOICES = 500;

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;

const UNSUPPORTED = [
  'not',
  'if',
  'then',
  'else',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
];

const primitive = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
});
const count = z.number().int().min(0).optional();
const unsupported = z.undefined('is not supported here').optional();
const pattern = z.string().refine(isPattern, 'must be a regular expression');
const anySchema = z.union([z.boolean(), z.lazy(() => node)], { error: 'must be a schema, true or false' });
const schemas = z.array(z.lazy(() => node)).min(1);
const schemasByName = z.record(
  z.string(),
  z.lazy(() => node),
);

/** The keywords of JSON Schema that are checked. Unknown keywords are left to the model. */
const node: z.ZodType<Record<string, unknown>> = z.looseObject({
  type: z
    .union([z.enum(TYPES), z.array(z.enum(TYPES)).min(1)], { error: `must be one of ${TYPES.join(', ')}` })
    .optional(),
  enum: z.array(primitive).min(1).max(MAX_CHOICES).optional(),
  const: primitive.optional(),
  $ref: z
    .string()
    .regex(/^#(\/(\$defs|definitions)\/[^/]+)?$/, 'must lead to a place in $defs')
    .optional(),
  $defs: schemasByName.optional(),
  definitions: schemasByName.optional(),
  properties: schemasByName.optional(),
  patternProperties: z
    .record(
      pattern,
      z.lazy(() => node),
    )
    .optional(),
  additionalProperties: anySchema.optional(),
  propertyNames: anySchema.optional(),
  required: z.array(z.string()).optional(),
  minProperties: count,
  maxProperties: count,
  items: z.union([anySchema, schemas], { error: 'must be a schema' }).optional(),
  prefixItems: schemas.optional(),
  additionalItems: anySchema.optional(),
  contains: anySchema.optional(),
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  uniqueItems: z.boolean().optional(),
  minLength: count,
  maxLength: count,
  pattern: pattern.optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.union([z.number(), z.boolean()]).optional(),
  exclusiveMaximum: z.union([z.number(), z.boolean()]).optional(),
  multipleOf: z.number().positive().optional(),
  anyOf: schemas.optional(),
  oneOf: schemas.optional(),
  allOf: schemas.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  ...Object.fromEntries(UNSUPPORTED.map((keyword) => [keyword, unsupported])),
});

/** Validates the `schema` of a body: its size, its depth and its shape. */
export const schemaShape = z.object({
  schema: z
    .unknown()
    .refine((schema) => isNestedWithin(schema, MAX_DEPTH), {
      error: `must not be deeper than ${MAX_DEPTH} levels`,
      abort: true,
    })
    .refine((schema) => JSON.stringify(schema).length <= MAX_SIZE, {
      error: `must not have more than ${MAX_SIZE} characters`,
      abort: true,
    })
    .pipe(node),
});

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
