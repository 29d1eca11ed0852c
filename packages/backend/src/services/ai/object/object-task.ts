import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { JsonSchema, ObjectOutput } from '@fabrica/contract';
import type { objectRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { parseWith } from '../../../http/body.ts';
import { aiFailed } from '../calls/model-errors.ts';
import { createSchemaCheck } from './schema-check.ts';
import { schemaShape } from './schema-shape.ts';

export type ObjectRequest = z.infer<typeof objectRequest>;

/** What a model is asked for, and how its answer becomes the caller's object. */
export interface ObjectTask {
  question: LanguageModelV4CallOptions;
  /** The bracket that the object's JSON begins with. */
  opening: '{' | '[';
  /** Is the JSON the caller's object as it is? */
  isPlain: boolean;
  /** Throws AI_FAILED for what is no JSON, and for what does not fit the schema. */
  read(json: string): unknown;
}

/** Throws VALIDATION_FAILED, naming what is wrong with the schema. */
export function toObjectTask(request: ObjectRequest): ObjectTask {
  const output = request.output ?? 'object';
  const given = output === 'enum' ? {} : requireSchema(request.schema);
  if (output === 'object') requireObjects(given);
  const asked = askedSchema(output, given, request.enum ?? []);
  const fits = createSchemaCheck(asked);
  const wrap = { object: undefined, array: 'elements', enum: 'result' }[output];
  return {
    question: {
      prompt: [
        {
          role: 'system',
          content: `Answer with JSON alone, which fits this JSON Schema:\n${JSON.stringify(asked)}`,
        },
        { role: 'user', content: [{ type: 'text', text: request.prompt }] },
      ],
      responseFormat: { type: 'json', name: 'answer', schema: asked },
    },
    opening: output === 'array' ? '[' : '{',
    isPlain: output !== 'enum',
    read(json) {
      const value = parseJson(json);
      // A list is cut out of what is around it.
      const whole = output === 'array' ? { elements: value } : value;
      if (!fits(whole))
        throw aiFailed('The language model’s answer does not fit the schema. Please try again.');
      return wrap ? (whole as Record<string, unknown>)[wrap] : whole;
    },
  };
}

/** Throws VALIDATION_FAILED. Answers what was given, in its order: models write in the order that they are asked in. */
function requireSchema(schema: JsonSchema | null | undefined): JsonSchema {
  parseWith(schemaShape, { schema });
  return schema ?? {};
}

/** Models are asked for objects only: some take no schema of anything else. */
function askedSchema(output: ObjectOutput, given: JsonSchema, choices: readonly string[]): JsonSchema {
  if (output === 'object') return given;
  if (output === 'enum') return objectOf({ result: { type: 'string', enum: [...choices] } });
  const { $schema, $defs, definitions, ...element } = given;
  return {
    ...($schema !== undefined && { $schema }),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    ...objectOf({ elements: { type: 'array', items: element } }),
  };
}

const objectOf = (properties: JsonSchema): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Throws VALIDATION_FAILED. */
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
    // Without the cause, which quotes the answer.
    throw aiFailed('The language model’s answer is no whole JSON. Please try again.');
  }
}
