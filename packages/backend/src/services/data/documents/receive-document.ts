import { MAX_DOCUMENT_BYTES } from '@fabrica/contract';
import { extractFields } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseWith, readBytes } from '../../../http/body.ts';
import type { Document } from './document.ts';

/** Bytes of a form at most: the file and the other fields. */
const MAX_FORM_BYTES = MAX_DOCUMENT_BYTES + 64 * 1024;

interface ReceivedDocument {
  document: Document;
  chunking: boolean;
  chunkSize: number | undefined;
}

/** Returns the `file` of a multipart form. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_FAILED. */
export async function receiveDocument(c: Context): Promise<ReceivedDocument> {
  const type = c.req.header('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data.');
  }
  const bytes = await readBytes(c, MAX_FORM_BYTES);
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('VALIDATION_FAILED', 'The form is not one, or is not whole.', { cause });
    });
  const file = form.get('file');
  if (!(file instanceof Blob)) {
    throw new AppError('VALIDATION_FAILED', 'A file is required: send it in the field "file".');
  }
  if (file.size > MAX_DOCUMENT_BYTES) {
    throw new AppError('PAYLOAD_TOO_LARGE', 'The file is larger than 10 MB.');
  }
  const fields = Object.fromEntries(
    ['chunking', 'chunkSize'].map((name) => [name, form.get(name) ?? undefined]),
  );
  const { chunking, chunkSize } = parseWith(extractFields, fields);
  return {
    document: {
      bytes: new Uint8Array(await file.arrayBuffer()),
      contentType: file.type || undefined,
      url: undefined,
    },
    chunking: chunking === 'true',
    chunkSize: chunkSize ?? undefined,
  };
}
