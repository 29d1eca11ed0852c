import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import type { GetObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { Lazy } from '../../../runtime/lazy.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { presentContentDisposition } from '../serving/file-headers.ts';
import { type BlobStore, type PresignOptions, requireBlobKey } from './blob-store.ts';

export interface S3Settings {
  bucket: string;
  /** Undefined: Amazon's. */
  endpoint: string | undefined;
  region: string;
  /** Undefined: what the machine itself has for Amazon. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** What keys in the bucket begin with, without a slash at either end; empty for nothing. */
  prefix: string;
}

/** What is smaller goes in one request, and has to be in memory for it: a request that failed is sent again. */
const MULTIPART_FROM = 16 * 1024 * 1024;
/** The least that stores take. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** With the figures above, what is being put takes 64 MB at most, however many wait. */
const PUTS_AT_ONCE = 4;

/** A blob may wait as long for its reader. */
const SILENCE_MS = 60_000;
const CONNECTION_MS = 5_000;
const CONNECTIONS = 256;

/** Objects of an S3-compatible store, each under its key behind the settings' prefix. */
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
      const asked: GetObjectCommandInput = locate(key);
      if (range) asked.Range = `bytes=${range.start}-${range.end}`;
      const answer = await unlessMissing(client.send(new sdk.GetObjectCommand(asked)));
      return answer?.Body ? answer.Body.transformToWebStream() : null;
    },
    async stat(key) {
      const { client, sdk } = await connection.get();
      const answer = await unlessMissing(client.send(new sdk.HeadObjectCommand(locate(key))));
      return answer && { size: answer.ContentLength ?? 0 };
    },
    async remove(key) {
      const { client, sdk } = await connection.get();
      await unlessMissing(client.send(new sdk.DeleteObjectCommand(locate(key))));
    },
    async *list(wanted) {
      const { client, sdk } = await connection.get();
      for await (const { Contents = [] } of sdk.paginateListObjectsV2(
        { client },
        { Bucket, Prefix: folder + wanted },
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

interface Connection {
  client: S3Client;
  sdk: typeof import('@aws-sdk/client-s3');
}

interface Target {
  Bucket: string;
  Key: string;
}

/** The SDK is large: whoever keeps files on the disk never loads it. */
async function openConnection({ endpoint, region, credentials }: S3Settings): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: CONNECTIONS };
  const client = new sdk.S3Client({
    region,
    ...(credentials && { credentials }),
    // Stores other than Amazon's seldom answer to a name for each bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // The newer checksums are unknown to many of them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { client, sdk };
}

async function putWhole({ client, sdk }: Connection, target: Target, localPath: string): Promise<void> {
  await client.send(new sdk.PutObjectCommand({ ...target, Body: await readFile(localPath) }));
}

/** What was sent of it is taken back when a part cannot be sent. */
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

async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    // A HEAD has no body that could name it NoSuchKey; a bucket that is missing is another matter.
    const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return null;
    throw error;
  }
}
