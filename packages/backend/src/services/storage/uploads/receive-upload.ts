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
 * A file that is too large by less than this is read to its end all the same: most senders only look at the
 * answer once they have sent everything.
 */
const READ_BEYOND = 16 * 1024 * 1024;

/** All of a form: the file, as far as it is read, and what stands around it. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + READ_BEYOND + 64 * 1024;

/** A sender of whom nothing comes for so long has gone, whatever its connection says. */
const SILENCE_MS = 30_000;

/** What follows the end of a form is not waited for any longer: behind some ends the parser never comes to its own. */
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

export interface ReceivedUpload {
  file: TemporaryFile;
  /** As it was sent; undefined when it was not. */
  path: string | undefined;
  upsert: boolean;
}

/**
 * Streams the `file` of a multipart form into `incoming`, and collects `path` and `options` (JSON) or `upsert`
 * from before or behind it. Whatever goes wrong, nothing stays there.
 *
 * Throws UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED, PAYLOAD_TOO_LARGE.
 */
export async function receiveUpload(
  request: Request,
  temporaryFiles: TemporaryFiles,
  { silenceMs = SILENCE_MS } = {},
): Promise<ReceivedUpload> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > MAX_UPLOAD_BYTES + READ_BEYOND) throw fileTooLarge(declared);
  const { form, fields, arriving } = await openForm(request, temporaryFiles);
  const failed = new AbortController();
  arriving.failed.catch((error) => failed.abort(error));
  const onSilence = () => failed.abort(fallenSilent(silenceMs));
  let finishing: NodeJS.Timeout | undefined;
  form.once('finish', () => {
    finishing = setTimeout(() => failed.abort(invalidForm('The form goes on behind its end.')), FINISHING_MS);
  });
  try {
    if (!request.body) throw invalidForm('There is no form in this request.');
    const read = pipeline(
      Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>),
      (body: Readable) => watched(body, { silenceMs, onSilence }),
      form,
      { signal: failed.signal },
    );
    await Promise.race([read, rejectionOf(failed.signal)]);
  } catch (error) {
    const cause = failed.signal.aborted ? failed.signal.reason : error;
    const fault = cause instanceof AppError ? cause : cutOffForm(cause);
    arriving.cutOff(fault);
    // Where the file is at fault, the form's failure is only what came of it.
    throw (await discard(arriving.file())) ?? fault;
  } finally {
    clearTimeout(finishing);
  }
  const file = await arriving.file();
  if (!file) throw invalidForm('A file is required: send it in the field "file".');
  try {
    return { file, path: fields.get('path'), upsert: parseUpsert(fields) };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** A pipeline whose last stream was done before its first does not end when it is told to. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

interface ArrivingFile {
  /** The file once it has arrived; undefined when the form has none. */
  file(): Promise<TemporaryFile | undefined>;
  /** Only ever rejects: when the store refuses or the file is too large. */
  failed: Promise<never>;
  /** Ends a file that will not arrive in full any more. */
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
  return { form, fields, arriving: takeFile(form, temporaryFiles) };
}

function takeFile(form: BusboyInstance, temporaryFiles: TemporaryFiles): ArrivingFile {
  const failed = Promise.withResolvers<never>();
  let stream: BusboyFileStream | undefined;
  let received: Promise<TemporaryFile> | undefined;
  form.on('file', (name, arriving) => {
    // The parser emits errors on it by hand, which would otherwise leave its reader waiting.
    arriving.on('error', (error) => arriving.destroy(error));
    if (name !== 'file') {
      arriving.resume();
      form.destroy(invalidForm(`Send the file in the field "file", not in "${name}".`));
      return;
    }
    stream = arriving;
    received = temporaryFiles.receive(limited(arriving));
    received.catch(failed.reject);
  });
  return {
    file: async () => received,
    failed: failed.promise,
    cutOff: (error) => stream?.destroy(error),
  };
}

/**
 * The form's bytes as they come; throws when they have no end. `onSilence` is called when the sender, not the disk,
 * has been waited for too long.
 */
async function* watched(
  body: Readable,
  { silenceMs, onSilence }: { silenceMs: number; onSilence: () => void },
): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  for (let size = 0; ; ) {
    const silence = setTimeout(onSilence, silenceMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(silence));
    if (done) return;
    size += value.byteLength;
    if (size > MAX_FORM_BYTES) throw fileTooLarge(size);
    yield value;
  }
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
    throw cause instanceof AppError ? cause : cutOffForm(cause);
  }
  if (size > MAX_UPLOAD_BYTES) throw fileTooLarge(size);
}

function parseUpsert(fields: ReadonlyMap<string, string>): boolean {
  const options = fields.get('options');
  if (options === undefined) return parseWith(uploadOptions, { upsert: fields.get('upsert') }).upsert;
  try {
    return parseWith(uploadOptions, JSON.parse(options)).upsert;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidForm('The field "options" is not valid JSON.', error);
  }
}

/** Answers what was wrong with the file itself, if anything. */
async function discard(arriving: Promise<TemporaryFile | undefined>): Promise<unknown> {
  try {
    const file = await arriving;
    await file?.discard();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** `bytes` may have the form around the file in it, which is too little to be seen in megabytes. */
function fileTooLarge(bytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', fileTooLargeMessage(bytes));
}

function invalidForm(message: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_FAILED', message, { cause });
}

function fallenSilent(silenceMs: number): AppError {
  return invalidForm(`The upload stopped: nothing came for ${silenceMs / 1_000} seconds.`);
}

function cutOffForm(cause: unknown): AppError {
  return invalidForm('The upload was cut off or is not a valid form.', cause);
}
