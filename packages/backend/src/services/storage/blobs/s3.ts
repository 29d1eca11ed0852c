import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import type { GetObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../../core/errors.ts';
import { Lazy } from '../../../runtime/lazy.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { presentContentDisposition } from '../serving/file-headers.ts';
import { type BlobStore, type PresignOptions, requireBlobKey } from './blob-store.ts';

export interface S3Settings {
  bucket: string;
  /** Undefined: Amazon's. */
  endpoint: string | undefined;
  region: string;
  /** Undefined: the machine's own credentials for Amazon. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Prefix of keys in the bucket, without a slash at either end; may be empty. */
  prefix: string;
}

/** Smaller files are sent in one request from memory, so that a failed request can be sent again. */
const MULTIPART_FROM = 16 * 1024 * 1024;
/** Smallest part that stores accept. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** With the figures above, concurrent puts take 64 MB of memory at most. */
const PUTS_AT_ONCE = 4;

/** A blob may wait this long for its reader. */
const SILENCE_MS = 60_000;
const CONNECTION_MS = 5_000;
const CONNECTIONS = 256;
/** Seconds after which a client may try again. */
const RETRY_SECONDS = 5;

/** Stores blobs as objects of an S3-compatible store, under the settings' prefix and their key. */
export function createS3BlobStore(settings: S3Settings): BlobStore {
  const { bucket: Bucket, prefix } = settings;
  const folder = prefix && `${prefix}/`;
  const locate = (key: string) => ({ Bucket, Key: folder + requireBlobKey(key) });
  const puts = new Semaphore({ concurrency: PUTS_AT_ONCE });
  const connection = new Lazy(() => openConnection(settings));

  return {
    async put(key, localPath) {
      const target = locate(key);
      await puts.run(async () => {
        const { size } = await stat(localPath);
        await (size < MULTIPART_FROM ? putWhole : putInParts)(await connection.get(), target, localPath);
      });
      await rm(localPath, { force: true });
    },
    async read(key, range) {
      const { client, sdk } = await connection.get();
      const input: GetObjectCommandInput = locate(key);
      if (range) input.Range = `bytes=${range.start}-${range.end}`;
      const object = await unlessMissing(client.send(new sdk.GetObjectCommand(input)));
      return object?.Body ? object.Body.transformToWebStream() : null;
    },
    async stat(key) {
      const { client, sdk } = await connection.get();
      const head = await unlessMissing(client.send(new sdk.HeadObjectCommand(locate(key))));
      return head && { size: head.ContentLength ?? 0 };
    },
    async remove(key) {
      const { client, sdk } = await connection.get();
      await unlessMissing(client.send(new sdk.DeleteObjectCommand(locate(key))));
    },
    async *list(keyPrefix) {
      const { client, sdk } = await connection.get();
      for await (const { Contents = [] } of sdk.paginateListObjectsV2(
        { client },
        { Bucket, Prefix: folder + keyPrefix },
      )) {
        for (const { Key = '', Size = 0, LastModified } of Contents) {
          yield {
            key: Key.slice(folder.length),
            size: Size,
            modifiedAt: LastModified?.getTime() ?? Date.now(),
          };
        }
      }
    },
    async check() {
      const { client, sdk } = await connection.get();
      await client
        .send(new sdk.ListObjectsV2Command({ Bucket, Prefix: folder, MaxKeys: 1 }))
        .catch((cause) => {
          throw new Error(describeFault(cause instanceof AppError ? cause.cause : cause, Bucket), { cause });
        });
    },
    localPath: () => undefined,
    async presign(key, { filename, contentType, seconds }: PresignOptions) {
      const { client, sdk } = await connection.get();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.GetObjectCommand({
        ...locate(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: presentContentDisposition('attachment', filename),
      });
      return getSignedUrl(client, command, { expiresIn: seconds });
    },
  };
}

/** An error of the SDK; without a status, the store did not respond. */
interface StoreError {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

interface Connection {
  client: S3Client;
  sdk: typeof import('@aws-sdk/client-s3');
}

interface Target {
  Bucket: string;
  Key: string;
}

/** Loads the SDK, which is large, with the first call: a server with files on the disk never loads it. */
async function openConnection({ endpoint, region, credentials }: S3Settings): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: CONNECTIONS };
  const client = new sdk.S3Client({
    region,
    ...(credentials && { credentials }),
    // Few stores other than Amazon's have a host name for each bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Many of them do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  const send = client.send.bind(client) as (...call: unknown[]) => Promise<unknown>;
  client.send = ((...call: unknown[]) => send(...call).catch(throwPresented)) as typeof client.send;
  return { client, sdk };
}

/** Throws FILES_UNAVAILABLE for a store that cannot be reached or fails, and any other error as it is. */
function throwPresented(error: unknown): never {
  const status = (error as StoreError).$metadata?.httpStatusCode;
  if (status !== undefined && status < 500) throw error;
  throw new AppError('FILES_UNAVAILABLE', 'Files cannot be reached at the moment. Please try again soon.', {
    retryAfter: RETRY_SECONDS,
    cause: error,
  });
}

async function putWhole({ client, sdk }: Connection, target: Target, localPath: string): Promise<void> {
  await client.send(new sdk.PutObjectCommand({ ...target, Body: await readFile(localPath) }));
}

/** Uploads the file in parts, and aborts the upload when one fails. */
async function putInParts({ client }: Connection, target: Target, localPath: string): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage');
  const Body = createReadStream(localPath);
  try {
    await new Upload({
      client,
      params: { ...target, Body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    }).done();
  } finally {
    Body.destroy();
  }
}

/** Returns a sentence for the operator about a store that does not list its objects. */
function describeFault(error: unknown, bucket: string): string {
  const { name, $metadata } = error as StoreError;
  if (name === 'NoSuchBucket') return `The bucket "${bucket}" does not exist.`;
  const status = $metadata?.httpStatusCode;
  if (status === 401 || status === 403)
    return `The store of files refuses our access to the bucket "${bucket}".`;
  return status === undefined
    ? 'The store of files cannot be reached.'
    : `The store of files responds with an error (${status}).`;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    // The response to HEAD has no body that says NoSuchKey; a missing bucket is an error.
    const { name, $metadata } = error as StoreError;
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return null;
    throw error;
  }
}
