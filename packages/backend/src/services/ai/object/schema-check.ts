import { createContext, Script } from 'node:vm';
import type { JsonSchema } from '@fabrica/contract';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';

/**
 * Milliseconds that one look at an answer may take. Patterns come from callers, and some take years on a text that is made for them;
 * nothing but a virtual machine's time limit stops one. It counts what others take of a busy machine as well.
 */
const MAX_MS = 200;

/** Does an answer fit the schema? */
export type SchemaCheck = (answer: unknown) => boolean;

/** For a schema whose shape is right. Throws VALIDATION_FAILED for one that leads nowhere or in circles. */
export function createSchemaCheck(schema: JsonSchema): SchemaCheck {
  try {
    return inTime(() => {
      // Its own registry: the usual one keeps the ids of schemas for ever and takes none twice.
      const parser = z.fromJSONSchema(prepare(schema), { registry: z.registry(), ...dialectOf(schema) });
      parser.safeParse({});
      return (answer: unknown) => {
        try {
          return inTime(() => parser.safeParse(answer).success);
        } catch {
          return false;
        }
      };
    });
  } catch (cause) {
    const circles = !(cause instanceof Error) || cause instanceof RangeError || 'code' in cause;
    const reason = circles ? 'leads in circles or is too complicated' : cause.message.replace(' in Zod', '');
    throw new AppError('VALIDATION_FAILED', `The request is not valid. schema: ${reason}`, {
      details: [{ field: 'schema', message: reason }],
      cause,
    });
  }
}

const dialectOf = ({ definitions, $schema }: JsonSchema) =>
  definitions !== undefined && $schema === undefined ? ({ defaultTarget: 'draft-7' } as const) : {};

let bounded: ((task: () => unknown) => unknown) | undefined;

/** Throws what the task throws, and when it takes too long. */
function inTime<T>(task: () => T): T {
  bounded ??= createBounded();
  try {
    return bounded(task) as T;
  } catch (error) {
    if (error instanceof Error) throw error;
    // The machine's own errors are none of ours, not even by their class.
    throw new RangeError('Too complicated');
  }
}

function createBounded(): (task: () => unknown) => unknown {
  const sandbox: { task: (() => unknown) | undefined } = { task: undefined };
  const context = createContext(sandbox);
  const script = new Script('task()');
  return (task) => {
    const outer = sandbox.task;
    sandbox.task = task;
    try {
      return script.runInContext(context, { timeout: MAX_MS });
    } finally {
      sandbox.task = outer;
    }
  };
}

const SCHEMAS = new Set(['items', 'additionalProperties', 'additionalItems', 'contains', 'propertyNames']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']);
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** Names the types that a schema leaves to be guessed, and leaves out defaults: a model's answer is to have all of it. */
function prepare(schema: JsonSchema): JsonSchema {
  const prepared: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword !== 'default') prepared[keyword] = prepareValue(keyword, value);
  }
  if (prepared.type !== undefined || prepared.$ref || prepared.enum || prepared.const !== undefined)
    return prepared;
  if (prepared.properties || prepared.required) prepared.type = 'object';
  else if (prepared.items !== undefined || prepared.prefixItems) prepared.type = 'array';
  return prepared;
}

function prepareValue(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return LISTS.has(keyword) ? value.map(prepareInner) : value;
  if (SCHEMAS.has(keyword)) return prepareInner(value);
  if (!MAPS.has(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, prepareInner(inner)]));
}

const prepareInner = (inner: unknown) =>
  typeof inner === 'object' && inner !== null ? prepare(inner as JsonSchema) : inner;
