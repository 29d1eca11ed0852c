import { MAX_ATTACHMENT_BYTES } from '@fabrica/contract';
import type { ParsedEmail } from '@fabrica/contract/schemas';
import { AppError } from '../../core/errors.ts';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { MailAttachment } from '../../mail/index.ts';

interface LoadAttachmentsOptions {
  /** Fetches public addresses only. */
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  signal: AbortSignal;
  /** The account whose look-ups the attachments' hosts are counted among. */
  account?: string | undefined;
  /** Milliseconds for fetching all attachments. */
  timeout: number;
}

type RequestedAttachment = NonNullable<ParsedEmail['attachments']>[number];

/** Milliseconds for fetching one attachment. */
const FETCH_TIMEOUT_MS = 10_000;
const ANY_TYPE = 'application/octet-stream';
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
/** Matches types of parts that contain parts, which may not be encoded in base64. */
const COMPOSITE_TYPE = /^(?:multipart|message)\//i;

/** Returns the attachments with their contents. Throws PAYLOAD_TOO_LARGE, VALIDATION_FAILED, and the errors of fetching. */
export async function loadAttachments(
  requested: readonly RequestedAttachment[],
  { fetcher, signal, account, timeout }: LoadAttachmentsOptions,
): Promise<MailAttachment[]> {
  const loaded: MailAttachment[] = [];
  const endsAt = performance.now() + timeout;
  let bytesLeft = MAX_ATTACHMENT_BYTES;
  // Attachments that are sent along are counted before anything is fetched.
  for (const { content } of requested) bytesLeft -= content ? bytesOf(content) : 0;
  if (bytesLeft < 0) throw tooLarge();
  for (const one of requested) {
    const { filename, url, disposition, cid } = one;
    const file = url
      ? await load(url, filename)
      : { content: withoutBlanks(one.content ?? ''), type: ANY_TYPE };
    if (url) bytesLeft -= bytesOf(file.content);
    const type = one.type ?? file.type;
    loaded.push({
      filename,
      contentType: COMPOSITE_TYPE.test(type) ? ANY_TYPE : type,
      disposition: disposition ?? (cid ? 'inline' : 'attachment'),
      cid: cid ?? null,
      content: file.content,
    });
  }
  return loaded;

  async function load(url: string, filename: string) {
    const left = Math.max(Math.ceil(endsAt - performance.now()), 1);
    const request = { maxBytes: bytesLeft, signal, account, timeout: Math.min(FETCH_TIMEOUT_MS, left) };
    const { status, headers, body } = await fetcher.fetch(url, request).catch((error) => {
      throw error instanceof AppError ? nameAttachment(error, filename) : error;
    });
    if (status < 200 || status > 299) {
      throw new AppError(
        'VALIDATION_FAILED',
        `The attachment "${filename}" could not be fetched: its address answered ${status}.`,
      );
    }
    const type = headers['content-type']?.split(';')[0]?.trim() ?? '';
    return {
      content: Buffer.from(body).toString('base64'),
      type: MEDIA_TYPE.test(type) ? type : ANY_TYPE,
    };
  }
}

/** Adds the name of the attachment to an error. */
function nameAttachment(error: AppError, filename: string): AppError {
  if (error.code === 'PAYLOAD_TOO_LARGE') return tooLarge();
  const sentence = `The attachment "${filename}" could not be fetched. ${error.message}`;
  return new AppError(error.code, sentence, { cause: error });
}

function withoutBlanks(base64: string): string {
  return base64.replaceAll(/\s+/g, '');
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(withoutBlanks(base64), 'base64');
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', 'The attachments of an email may have 10 MB in all.');
}
