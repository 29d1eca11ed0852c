import { MAX_ATTACHMENT_BYTES } from '@fabrica/contract';
import type { ParsedEmail } from '@fabrica/contract/schemas';
import { ServiceError } from '../http/errors.ts';
import type { MailAttachment } from '../mail/index.ts';

/** An address as somebody named it, fetched by whoever keeps such requests away from addresses that are not public. */
export type FetchAttachment = (
  url: string,
  request: { maxBytes: number; signal: AbortSignal },
) => Promise<{ status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }>;

export interface LoadAttachmentsOptions {
  /** Without one, files come as content only. */
  fetchAttachment: FetchAttachment | undefined;
  signal: AbortSignal;
}

type Given = NonNullable<ParsedEmail['attachments']>[number];

const ANY_TYPE = 'application/octet-stream';
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** Throws PAYLOAD_TOO_LARGE, VALIDATION_FAILED, and what the fetching throws. */
export async function loadAttachments(
  given: readonly Given[],
  { fetchAttachment, signal }: LoadAttachmentsOptions,
): Promise<MailAttachment[]> {
  const loaded: MailAttachment[] = [];
  let left = MAX_ATTACHMENT_BYTES;
  // What comes along is counted before anything is fetched.
  for (const { content } of given) left -= content ? bytesOf(content) : 0;
  if (left < 0) throw tooLarge();
  for (const one of given) {
    const { filename, url, disposition, cid } = one;
    const file = url ? await load(url, one, left) : { content: plain(one.content ?? ''), type: ANY_TYPE };
    if (url) left -= bytesOf(file.content);
    if (left < 0) throw tooLarge();
    loaded.push({
      filename,
      contentType: one.type ?? file.type,
      disposition: disposition ?? (cid ? 'inline' : 'attachment'),
      cid: cid ?? null,
      content: file.content,
    });
  }
  return loaded;

  async function load(url: string, { filename }: Given, maxBytes: number) {
    if (!fetchAttachment) {
      throw new ServiceError(
        'VALIDATION_FAILED',
        'Attachments are not fetched from addresses here: send their "content" as base64.',
      );
    }
    const { status, headers, body } = await fetchAttachment(url, { maxBytes, signal });
    if (status < 200 || status > 299) {
      throw new ServiceError(
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

function plain(base64: string): string {
  return base64.replaceAll(/\s+/g, '');
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(plain(base64), 'base64');
}

function tooLarge(): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', 'The attachments of an email may have 10 MB in all.');
}
