import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { JsonSchema } from '@fabrica/contract';
import type { ObjectOutput, objectRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { parseWith } from '../../../http/body.ts';
import { aiFailed } from '../calls/model-errors.ts';
import { createSchemaCheck } from './schema-check.ts';
import { schemaShape } from './schema-shape.ts';

type ObjectRequest = z.infer<typeof objectRequest>;

/** A request for an object, and the way to read the response. */
export interface ObjectTask {
  modelRequest: LanguageModelV4CallOptions;
  /** The bracket with which the JSON of the object begins. */
  opening: '{' | '[';
  /** Whether the JSON is the caller’s object as it is. */
  isUnwrapped: boolean;
  /** Throws AI_FAILED for text that is no JSON or does not fit the schema. */
  parse(json: string): unknown;
}

/** Returns the task of a request. Throws VALIDATION_FAILED, naming what is wrong with the schema. */
export function toObjectTask(request: ObjectRequest): ObjectTask {
  const output = request.output ?? 'object';
  const callerSchema = output === 'enum' ? {} : requireSchema(request.schema);
  if (output === 'object') requireObjects(callerSchema);
  const schema = modelSchema(output, callerSchema, request.enum ?? []);
  const isValid = createSchemaCheck(schema);
  const property = { object: undefined, array: 'elements', enum: 'result' }[output];
  return {
    modelRequest: {
      prompt: [
        {
          role: 'system',
          content: `Answer with JSON alone, which fits this JSON Schema:\n${JSON.stringify(schema)}`,
        },
        { role: 'user', content: [{ type: 'text', text: request.prompt }] },
      ],
      responseFormat: { type: 'json', name: 'answer', schema: schema },
    },
    opening: output === 'array' ? '[' : '{',
    isUnwrapped: output !== 'enum',
    parse(json) {
      const value = parseJson(json);
      // A list is extracted from the object around it.
      const wrapped = output === 'array' ? { elements: value } : value;
      if (!isValid(wrapped))
        throw aiFailed('The language model’s answer does not fit the schema. Please try again.');
      return property ? (wrapped as Record<string, unknown>)[property] : wrapped;
    },
  };
}

/**
 * Returns the schema of the request, in its own order, because models write properties in that order. Throws
 * VALIDATION_FAILED.
 */
function requireSchema(schema: JsonSchema | null | undefined): JsonSchema {
  parseWith(schemaShape, { schema });
  return schema ?? {};
}

/** Returns the schema for the model. It is always an object, because some models take nothing else. */
function modelSchema(output: ObjectOutput, callerSchema: JsonSchema, choices: readonly string[]): JsonSchema {
  if (output === 'object') return callerSchema;
  if (output === 'enum') return objectSchema({ result: { type: 'string', enum: [...choices] } });
  const { $schema, $defs, definitions, ...element } = callerSchema;
  return {
    ...($schema !== undefined && { $schema }),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...objectSchema({ elements: { type: 'array', items: element } }),
  };
}

const objectSchema = (properties: JsonSchema): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Throws VALIDATION_FAILED unless the schema is of an object. */
function requireObjects({ type }: JsonSchema): void {
  if (type === undefined || type === 'object') return;
  const message = 'must be object; for a list, say output: array';
  throw new AppError('VALIDATION_FAILED', `The request is not valid. schema.type: ${message}`, {
    details: [{ field: 'schema.type', message }],
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out, because it quotes the response.
    throw aiFailed('The language model’s answer is no whole JSON. Please try again.');
  }
}
