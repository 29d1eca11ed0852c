import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { fileTooLargeMessage, MAX_UPLOAD_BYTES } from '@fabrica/contract';
import { uploadOptions } from '@fabrica/contract/schemas';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { parseWith } from '../http/body.ts';
import { ServiceError } from '../http/errors.ts';
import type { BlobStore, IncomingBlob } from './blob-store.ts';

/**
 * A file that is too large by less than this is read to its end all the same: most senders only look at the
 * answer once they have sent everything.
 */
const READ_BEYOND = 16 * 1024 * 1024;

const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 4_096,
  fields: 10,
  files: 1,
  parts: 12,
  headerPairs: 20,
  headerSize: 8_192,
};

export interface ReceivedUpload {
  blob: IncomingBlob;
  /** As it was sent; undefined when it was not. */
  path: string | undefined;
  upsert: boolean;
}

/**
 * Streams the `file` of a multipart form into the store, and collects `path` and `options` (JSON) or `upsert`
 * from before or behind it. Whatever goes wrong, nothing stays in the store.
 *
 * Throws UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED, PAYLOAD_TOO_LARGE.
 */
export async function receiveUpload(request: Request, blobs: BlobStore): Promise<ReceivedUpload> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_UPLOAD_BYTES + READ_BEYOND) throw fileTooLarge(declared);
  const { form, fields, file } = await openForm(request, blobs);
  const failed = new AbortController();
  file.failed.catch((error) => failed.abort(error));
  try {
    if (!request.body) throw invalidForm('There is no form in this request.');
    await pipeline(Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>), form, {
      signal: failed.signal,
    });
  } catch (error) {
    file.cutOff(error);
    await discardBlob(file.blob());
    if (failed.signal.aborted) throw failed.signal.reason;
    throw error instanceof ServiceError ? error : cutOffForm(error);
  }
  const blob = await file.blob();
  if (!blob) throw invalidForm('A file is required: send it in the field "file".');
  try {
    return { blob, path: fields.get('path'), upsert: parseUpsert(fields) };
  } catch (error) {
    await blob.discard();
    throw error;
  }
}

interface IncomingFile {
  /** The file once it has arrived; undefined when the form has none. */
  blob(): Promise<IncomingBlob | undefined>;
  /** Only ever rejects: when the store refuses or the file is too large. */
  failed: Promise<never>;
  /** Ends a file that will not arrive in full any more. */
  cutOff(error: unknown): void;
}

async function openForm(request: Request, blobs: BlobStore) {
  const { Busboy } = await import('@fastify/busboy');
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
  let form: BusboyInstance;
  try {
    form = new Busboy({ headers: { 'content-type': type }, limits: LIMITS });
  } catch (cause) {
    throw invalidForm('The form’s boundary is missing.', cause);
  }
  const fields = new Map<string, string>();
  form.on('field', (name, value, _, truncated) => {
    if (truncated) form.destroy(invalidForm(`The field "${name}" is too long.`));
    else fields.set(name, value);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    form.on(limit, () => form.destroy(invalidForm('Send one file, and no more fields than are needed.')));
  }
  return { form, fields, file: takeFile(form, blobs) };
}

function takeFile(form: BusboyInstance, blobs: BlobStore): IncomingFile {
  const failed = Promise.withResolvers<never>();
  let stream: BusboyFileStream | undefined;
  let received: Promise<IncomingBlob> | undefined;
  form.on('file', (name, incoming) => {
    // The parser emits errors on it by hand, which would otherwise leave its reader waiting.
    incoming.on('error', (error) => incoming.destroy(error));
    if (name !== 'file') {
      incoming.resume();
      form.destroy(invalidForm(`Send the file in the field "file", not in "${name}".`));
      return;
    }
    stream = incoming;
    received = blobs.receive(limited(incoming));
    received.catch(failed.reject);
  });
  return {
    blob: async () => received,
    failed: failed.promise,
    cutOff: (error) => stream?.destroy(error instanceof Error ? error : undefined),
  };
}

/** The file's bytes, up to the limit; throws at its end when there were more, and when it has no end. */
async function* limited(file: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of file) {
      size += chunk.byteLength;
      if (size > MAX_UPLOAD_BYTES + READ_BEYOND) break;
      if (size <= MAX_UPLOAD_BYTES) yield chunk;
    }
  } catch (cause) {
    throw cutOffForm(cause);
  }
  if (size > MAX_UPLOAD_BYTES) throw fileTooLarge(size);
}

function parseUpsert(fields: ReadonlyMap<string, string>): boolean {
  const options = fields.get('options');
  if (options === undefined) return parseWith(uploadOptions, { upsert: fields.get('upsert') }).upsert;
  try {
    return parseWith(uploadOptions, JSON.parse(options)).upsert;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalidForm('The field "options" is not valid JSON.', error);
  }
}

async function discardBlob(arriving: Promise<IncomingBlob | undefined>): Promise<void> {
  const blob = await arriving.catch(() => undefined);
  await blob?.discard();
}

/** `bytes` may have the form around the file in it, which is too little to be seen in megabytes. */
function fileTooLarge(bytes: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', fileTooLargeMessage(bytes));
}

function invalidForm(message: string, cause?: unknown): ServiceError {
  return new ServiceError('VALIDATION_FAILED', message, { cause });
}

function cutOffForm(cause: unknown): ServiceError {
  return invalidForm('The upload was cut off or is not a valid form.', cause);
}
