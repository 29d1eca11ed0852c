import type { PageRequest } from './pages.ts';

/** Pages whose forms also work without JavaScript; `.data` is how the router sends them with it. */
export const FORM_PAGES = /^\/(auth(\/[a-z]+)?|account)(\.data|\/)?$/;

/** Bytes that a form of ours has at most: no field of it is longer than an address. */
const MAX_BYTES = 64 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Why a form is not taken, for whoever sent it by hand. */
export interface FormRefusal {
  status: 403 | 413 | 415;
  sentence: string;
}

export interface ReadFormOptions {
  request: Pick<PageRequest, 'header'>;
  body: ReadableStream<Uint8Array> | null;
  /** The address that readers know. */
  publicUrl: string;
}

/** The fields of a form that a page of ours sent, as they were encoded. */
export async function readForm({
  request,
  body,
  publicUrl,
}: ReadFormOptions): Promise<{ form: string } | FormRefusal> {
  if (!isOfOurs(request, publicUrl)) {
    return { status: 403, sentence: 'This form was sent by a page of another site.' };
  }
  if (request.header('content-type')?.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE) {
    return { status: 415, sentence: `A form is sent as ${FORM_TYPE}.` };
  }
  const bytes = await readBytes(body);
  return bytes
    ? { form: new TextDecoder().decode(bytes) }
    : { status: 413, sentence: `A form has ${MAX_BYTES / 1024} kB at most.` };
}

/**
 * Browsers say which site a form comes from: in `Sec-Fetch-Site` where the address is safe (https, localhost),
 * else in `Origin`. What says neither is no browser, and nobody is led into sending it.
 */
function isOfOurs({ header }: Pick<PageRequest, 'header'>, publicUrl: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  if (origin === undefined || origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === header('host');
}

/** Undefined when there are too many: bytes are counted as they come, whatever Content-Length claims. */
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
