import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { fileTooLargeMessage, MAX_UPLOAD_BYTES } from '@fabrica/contract';
import { uploadOptions } from '@fabrica/contract/schemas';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { AppError } from '../../../core/errors.ts';
import { parseWith } from '../../../http/body.ts';
import type { TemporaryFile, TemporaryFiles } from '../blobs/temporary-files.ts';

/**
 * Bytes above the limit that are still read: most senders only look at the response once they have sent everything.
 */
const READ_BEYOND = 16 * 1024 * 1024;

/** Bytes of a whole form: the file, as far as it is read, and the fields around it. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + READ_BEYOND + 64 * 1024;

/** Milliseconds without data after which the sender is taken for gone, even if the connection is open. */
const SILENCE_MS = 30_000;

/** Milliseconds that the request may go on after the end of its form; some forms that end early leave the parser unfinished. */
const FINISHING_MS = 2_000;

const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 4_096,
  fields: 10,
  files: 1,
  parts: 12,
  headerPairs: 20,
  headerSize: 8_192,
};

interface ReceiveOptions {
  silenceMs?: number;
  /** Is called with the bytes of each piece; what it throws ends the upload. */
  count?: (bytes: number) => void;
}

export interface ReceivedUpload {
  file: TemporaryFile;
  /** The field as it was sent; undefined when the form has none. */
  path: string | undefined;
  upsert: boolean;
  /** Whether an image that browsers do not show is to be converted. */
  convert: boolean;
}

/**
 * Streams the `file` of a multipart form into a temporary file, and reads `path` and `options` (JSON) or `upsert`
 * before or after it. On an error no file is left behind.
 *
 * Throws UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED, PAYLOAD_TOO_LARGE, and what `count` throws.
 */
export async function receiveUpload(
  request: Request,
  temporaryFiles: TemporaryFiles,
  { silenceMs = SILENCE_MS, count = () => {} }: ReceiveOptions = {},
): Promise<ReceivedUpload> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_UPLOAD_BYTES + READ_BEYOND) throw fileTooLarge(declared);
  const { form, fields, upload } = await openForm(request, temporaryFiles);
  const failed = new AbortController();
  upload.failed.catch((error) => failed.abort(error));
  const onSilence = () => failed.abort(senderSilent(silenceMs));
  let finishing: NodeJS.Timeout | undefined;
  form.once('finish', () => {
    finishing = setTimeout(() => failed.abort(invalidForm('The form goes on behind its end.')), FINISHING_MS);
  });
  try {
    if (!request.body) throw invalidForm('There is no form in this request.');
    const read = pipeline(
      Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>),
      (body: Readable) => watched(body, { silenceMs, onSilence, count }),
      form,
      { signal: failed.signal },
    );
    await Promise.race([read, rejectionOf(failed.signal)]);
  } catch (error) {
    const cause = failed.signal.aborted ? failed.signal.reason : error;
    const fault = cause instanceof AppError ? cause : cutOffForm(cause);
    upload.cutOff(fault);
    // An error of the file itself is the cause of the form's error.
    throw (await discard(upload.file())) ?? fault;
  } finally {
    clearTimeout(finishing);
  }
  const file = await upload.file();
  if (!file) throw invalidForm('A file is required: send it in the field "file".');
  try {
    return { file, path: fields.get('path'), ...parseOptions(fields) };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Rejects when the signal aborts: a pipeline whose last stream has finished before its first ignores the signal. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

interface FileUpload {
  /** Resolves when the file is received; undefined when the form has none. */
  file(): Promise<TemporaryFile | undefined>;
  /** Never resolves; rejects when the disk fails or the file is too large. */
  failed: Promise<never>;
  /** Ends a file that will not be complete. */
  cutOff(error: Error): void;
}

async function openForm(request: Request, temporaryFiles: TemporaryFiles) {
  const { Busboy } = await import('@fastify/busboy');
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
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
  return { form, fields, upload: receiveFile(form, temporaryFiles) };
}

function receiveFile(form: BusboyInstance, temporaryFiles: TemporaryFiles): FileUpload {
  const failed = Promise.withResolvers<never>();
  let stream: BusboyFileStream | undefined;
  let received: Promise<TemporaryFile> | undefined;
  form.on('file', (name, file) => {
    // The parser emits errors without destroying the stream, which would leave its reader waiting.
    file.on('error', (error) => file.destroy(error));
    if (name !== 'file') {
      file.resume();
      form.destroy(invalidForm(`Send the file in the field "file", not in "${name}".`));
      return;
    }
    stream = file;
    received = temporaryFiles.receive(limited(file));
    received.catch(failed.reject);
  });
  return {
    file: async () => received,
    failed: failed.promise,
    cutOff: (error) => stream?.destroy(error),
  };
}

/**
 * Yields the form's bytes. Throws when there are too many. Calls `onSilence` when the sender, not the disk, keeps the
 * reader waiting for too long.
 */
async function* watched(
  body: Readable,
  { silenceMs, onSilence, count }: Required<ReceiveOptions> & { onSilence: () => void },
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  for (let size = 0; ; ) {
    const silence = setTimeout(onSilence, silenceMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(silence));
    if (done) return;
    size += value.byteLength;
    count(value.byteLength);
    if (size > MAX_FORM_BYTES) throw fileTooLarge(size);
    yield value;
  }
}

/** Yields the file's bytes up to the limit. Throws at the end when there were more. */
async function* limited(file: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of file) {
      size += chunk.byteLength;
      if (size > MAX_UPLOAD_BYTES + READ_BEYOND) break;
      if (size <= MAX_UPLOAD_BYTES) yield chunk;
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : cutOffForm(cause);
  }
  if (size > MAX_UPLOAD_BYTES) throw fileTooLarge(size);
}

function parseOptions(fields: ReadonlyMap<string, string>): Pick<ReceivedUpload, 'upsert' | 'convert'> {
  const options = fields.get('options');
  if (options === undefined) return parseWith(uploadOptions, { upsert: fields.get('upsert') });
  try {
    return parseWith(uploadOptions, JSON.parse(options));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidForm('The field "options" is not valid JSON.', error);
  }
}

/** Deletes the received file. Returns the error that the file itself failed with, if any. */
async function discard(received: Promise<TemporaryFile | undefined>): Promise<unknown> {
  try {
    const file = await received;
    await file?.discard();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Takes the bytes of the file or of the whole form: the difference is too small to show in megabytes. */
function fileTooLarge(bytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', fileTooLargeMessage(bytes));
}

function invalidForm(message: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_FAILED', message, { cause });
}

function senderSilent(silenceMs: number): AppError {
  return invalidForm(`The upload stopped: nothing came for ${silenceMs / 1_000} seconds.`);
}

function cutOffForm(cause: unknown): AppError {
  return invalidForm('The upload was cut off or is not a valid form.', cause);
}
