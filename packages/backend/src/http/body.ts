import type { Context } from 'hono';
import type { ZodType } from 'zod';
import { AppError, type FieldFault } from '../core/errors.ts';

const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Reads the request's body as JSON and validates it. A missing body is undefined, for schemas that allow that.
 *
 * Throws PAYLOAD_TOO_LARGE past `maxBytes` (bytes are counted as they arrive, whatever Content-Length says),
 * INVALID_JSON, or VALIDATION_FAILED with `details: FieldFault[]`.
 */
export async function parseJsonBody<T>(
  c: Context,
  schema: ZodType<T>,
  maxBytes = MAX_JSON_BYTES,
): Promise<T> {
  const bytes = await readBytes(c, maxBytes);
  if (bytes.byteLength > 0) return parseWith(schema, parseJson(bytes));
  const empty = schema.safeParse(undefined);
  if (empty.success) return empty.data;
  throw new AppError('INVALID_JSON', 'The request has no body; JSON is expected.');
}

/**
 * Validates a value that came from outside. Throws VALIDATION_FAILED with `details: FieldFault[]`, in which a rule of the schema
 * names the `kind` by `params: { kind }`, and says by `params: { sentence: true }` that its message is the whole of the error's.
 */
export function parseWith<T>(schema: ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue): FieldFault => {
    const kind: unknown = issue.code === 'custom' && issue.params?.kind;
    const { path, message } = issue;
    return { field: path.map(String).join('.'), message, ...(typeof kind === 'string' && { kind }) };
  });
  const sentences = faults.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  const whole = parsed.error.issues.find(
    (issue) => issue.code === 'custom' && issue.params?.sentence === true,
  );
  const message = whole?.message ?? `The request is not valid. ${sentences.join('; ')}`;
  throw new AppError('VALIDATION_FAILED', message, { details: faults });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('INVALID_JSON', 'The request’s body is not valid JSON in UTF-8.', { cause });
  }
}

export async function readBytes(c: Context, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new AppError('PAYLOAD_TOO_LARGE', `The request’s body is larger than ${Math.floor(maxBytes / 1024)} kB.`);
  const brokenOff = (cause: unknown): never => {
    throw new AppError('INVALID_JSON', 'The request’s body broke off.', { cause });
  };
  const length = c.req.header('content-length');
  if (Number(length) > maxBytes) throw tooLarge();
  if (length !== undefined) {
    // A socket never delivers more than Content-Length says: read at once, a body costs a tenth of what its stream does.
    const bytes = new Uint8Array(await c.req.raw.arrayBuffer().catch(brokenOff));
    if (bytes.byteLength > maxBytes) throw tooLarge();
    return bytes;
  }
  const reader = c.req.raw.body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

/** Returns whether a value parsed from JSON has at most so many levels of objects and lists. */
export function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(inner, levels - 1));
}
