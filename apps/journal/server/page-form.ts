import type { PageRequest } from './reader-fetch.ts';

/**
 * Matches the pages whose forms work without JavaScript. With it, the router sends them to the same path with
 * `.data`.
 */
export const FORM_PAGES = /^\/(auth(\/[a-z]+)?|account|contact|post\/[\w-]{1,100})(\.data|\/)?$/;

/** A form has at most this many bytes: the longest is a message of 10,000 characters, encoded. */
const MAX_BYTES = 160 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Describes the response to a form that no page of this site sent. */
interface FormError {
  status: 403 | 413 | 415;
  message: string;
}

interface ReadPageFormOptions {
  request: Pick<PageRequest, 'header'>;
  body: ReadableStream<Uint8Array> | null;
  /** The site's public URL. */
  publicUrl: string;
}

/** Returns the encoded fields of a form, or an error unless a page of this site sent it. */
export async function readPageForm({
  request,
  body,
  publicUrl,
}: ReadPageFormOptions): Promise<{ form: string } | FormError> {
  if (!isSameOrigin(request, publicUrl)) {
    return { status: 403, message: 'This form was sent by a page of another site.' };
  }
  if (request.header('content-type')?.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE) {
    return { status: 415, message: `A form is sent as ${FORM_TYPE}.` };
  }
  const bytes = await readBytes(body);
  return bytes
    ? { form: new TextDecoder().decode(bytes) }
    : { status: 413, message: `A form has ${MAX_BYTES / 1024} kB at most.` };
}

/**
 * Returns whether a page of this site sent the form. Browsers name the sender in `Sec-Fetch-Site` on secure origins
 * (HTTPS, localhost), and in `Origin` otherwise. A form whose sender is not named is refused: it may carry a reader's
 * session.
 */
function isSameOrigin({ header }: Pick<PageRequest, 'header'>, publicUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  if (origin === undefined) return false;
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  // An attacker on the line can write a page of this host that comes by HTTP.
  const isSafe = protocol === 'https:' || (protocol === 'http:' && host !== own.host);
  return isSafe && host === header('host');
}

/** Returns `undefined` when there are too many bytes. They are counted, because Content-Length may be wrong. */
async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
