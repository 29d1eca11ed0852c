import { MAX_ATTACHMENT_BYTES } from '@fabrica/contract';
import type { ParsedEmail } from '@fabrica/contract/schemas';
import { AppError } from '../../core/errors.ts';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { MailAttachment } from '../../mail/index.ts';

export interface LoadAttachmentsOptions {
  /** Keeps requests away from addresses that are not public. */
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  signal: AbortSignal;
  /** Milliseconds for all that is fetched. */
  timeout: number;
}

type Given = NonNullable<ParsedEmail['attachments']>[number];

/** Of one address, in milliseconds. */
const FETCH_MS = 10_000;
const ANY_TYPE = 'application/octet-stream';
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
/** Parts that have parts of their own may not be encoded as files are. */
const IS_COMPOSED = /^(?:multipart|message)\//i;

/** Throws PAYLOAD_TOO_LARGE, VALIDATION_FAILED, and what the fetching throws. */
export async function loadAttachments(
  given: readonly Given[],
  { fetcher, signal, timeout }: LoadAttachmentsOptions,
): Promise<MailAttachment[]> {
  const loaded: MailAttachment[] = [];
  const ends = performance.now() + timeout;
  let left = MAX_ATTACHMENT_BYTES;
  // What comes along is counted before anything is fetched.
  for (const { content } of given) left -= content ? bytesOf(content) : 0;
  if (left < 0) throw tooLarge();
  for (const one of given) {
    const { filename, url, disposition, cid } = one;
    const file = url ? await load(url, filename) : { content: plain(one.content ?? ''), type: ANY_TYPE };
    if (url) left -= bytesOf(file.content);
    const type = one.type ?? file.type;
    loaded.push({
      filename,
      contentType: IS_COMPOSED.test(type) ? ANY_TYPE : type,
      disposition: disposition ?? (cid ? 'inline' : 'attachment'),
      cid: cid ?? null,
      content: file.content,
    });
  }
  return loaded;

  async function load(url: string, filename: string) {
    const inAll = Math.max(Math.ceil(ends - performance.now()), 1);
    const request = { maxBytes: left, signal, timeout: Math.min(FETCH_MS, inAll) };
    const { status, headers, body } = await fetcher.fetch(url, request).catch((error) => {
      throw error instanceof AppError ? explain(error, filename) : error;
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

/** Says which of the attachments it was. */
function explain(error: AppError, filename: string): AppError {
  if (error.code === 'PAYLOAD_TOO_LARGE') return tooLarge();
  const sentence = `The attachment "${filename}" could not be fetched. ${error.message}`;
  return new AppError(error.code, sentence, { cause: error });
}

function plain(base64: string): string {
  return base64.replaceAll(/\s+/g, '');
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(plain(base64), 'base64');
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', 'The attachments of an email may have 10 MB in all.');
}
