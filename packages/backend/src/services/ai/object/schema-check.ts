import { createContext, Script } from 'node:vm';
import type { JsonSchema } from '@fabrica/contract';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';

/**
 * Milliseconds that one check may take. Patterns come from callers, and some take years on a text made for them; only
 * the time limit of a virtual machine stops one. The limit includes time that other processes take of a busy machine: a
 * check that had less than half of it is run again.
 */
const MAX_MS = 200;
const MAX_ATTEMPTS = 5;

/** Returns whether a value fits the schema. */
type SchemaCheck = (value: unknown) => boolean;

/**
 * Creates the check of a schema of the right shape. Throws VALIDATION_FAILED for one with a broken or circular
 * reference.
 */
export function createSchemaCheck(schema: JsonSchema): SchemaCheck {
  try {
    return runWithTimeout(() => {
      // The default registry keeps the ids of schemas for ever and takes none twice.
      const parser = z.fromJSONSchema(normalize(schema), { registry: z.registry(), ...dialectOf(schema) });
      parser.safeParse({});
      return (value: unknown) => {
        try {
          return runWithTimeout(() => parser.safeParse(value).success);
        } catch {
          return false;
        }
      };
    });
  } catch (cause) {
    const isTooComplex = !(cause instanceof Error) || cause instanceof RangeError || 'code' in cause;
    const reason = isTooComplex
      ? 'leads in circles or is too complicated'
      : cause.message.replace(' in Zod', '');
    throw new AppError('VALIDATION_FAILED', `The request is not valid. schema: ${reason}`, {
      details: [{ field: 'schema', message: reason }],
      cause,
    });
  }
}

const dialectOf = ({ definitions, $schema }: JsonSchema) =>
  definitions !== undefined && $schema === undefined ? ({ defaultTarget: 'draft-7' } as const) : {};

let timedRunner: ((task: () => unknown) => unknown) | undefined;

/** Runs a task. Throws what the task throws, and an Error when it takes too long. */
function runWithTimeout<T>(task: () => T): T {
  timedRunner ??= createTimedRunner();
  try {
    return timedRunner(task) as T;
  } catch (error) {
    if (error instanceof Error) throw error;
    // Errors of the virtual machine are of another class than those of this realm.
    throw new RangeError('Too complicated');
  }
}

function createTimedRunner(): (task: () => unknown) => unknown {
  const sandbox: { task: (() => unknown) | undefined } = { task: undefined };
  const context = createContext(sandbox);
  const script = new Script('task()');
  return (task) => {
    const outer = sandbox.task;
    sandbox.task = task;
    try {
      for (let attempt = 1; ; attempt += 1) {
        const before = process.threadCpuUsage();
        try {
          return script.runInContext(context, { timeout: MAX_MS });
        } catch (error) {
          const { user, system } = process.threadCpuUsage(before);
          const wasInterrupted = isTimeout(error) && (user + system) / 1_000 < MAX_MS / 2;
          if (!wasInterrupted || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    } finally {
      sandbox.task = outer;
    }
  };
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

const SCHEMAS = new Set(['items', 'additionalProperties', 'additionalItems', 'contains', 'propertyNames']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']);
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** Names the types that a schema implies, and drops defaults: a model’s object must be complete. */
function normalize(schema: JsonSchema): JsonSchema {
  const normalized: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword !== 'default') normalized[keyword] = normalizeValue(keyword, value);
  }
  if (normalized.type !== undefined || normalized.$ref || normalized.enum || normalized.const !== undefined)
    return normalized;
  if (normalized.properties || normalized.required) normalized.type = 'object';
  else if (normalized.items !== undefined || normalized.prefixItems) normalized.type = 'array';
  return normalized;
}

function normalizeValue(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return LISTS.has(keyword) ? value.map(normalizeInner) : value;
  if (SCHEMAS.has(keyword)) return normalizeInner(value);
  if (!MAPS.has(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalizeInner(inner)]));
}

const normalizeInner = (inner: unknown) =>
  typeof inner === 'object' && inner !== null ? normalize(inner as JsonSchema) : inner;
