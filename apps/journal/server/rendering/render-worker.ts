import { type CarriedError, packError, serveTasks } from '@fabrica/backend/workers';
import type { ServerBuild } from 'react-router';
import type { Site } from '../../app/site/site.ts';
import { compressParts, type SharedPart } from '../document/brotli-parts.ts';
import { type CompressedBody, fingerprint, isStyled, plainBody } from '../document/page-body.ts';
import {
  createRenderer,
  NO_READER,
  type PageJob,
  type RenderDocument,
  type RenderSettings,
} from './create-renderer.ts';

/** The first task of a thread, which loads the code of the pages. */
export interface Preparation {
  kind: 'prepare';
  /** The module of the pages. */
  build: string;
  styles: SharedPart;
  settings: RenderSettings;
}

export interface RenderTask extends PageJob {
  kind: 'render';
  site: Site;
  /** Whether the contact form leads to somebody. */
  takesMessages: boolean;
}

/** A read of the backend that a page waits for, whose answer is a `ThreadResponse`. To a text, the answer is its tree. */
export interface ThreadRead {
  url: string;
  headers: Record<string, string>;
}

export interface ThreadResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A page as a thread sends it: a document compressed, and without the style sheet. */
export interface ThreadPage {
  status: number;
  headers: Record<string, string>;
  body: string | Omit<CompressedBody, 'styles'>;
  /** Errors for the log. */
  failures: CarriedError[];
}

let render: RenderDocument | undefined;

const server = serveTasks<Preparation | RenderTask>((id, task) => {
  const working = task.kind === 'prepare' ? prepare(task) : renderPage(id, task);
  working
    .then(
      (value) => server.reply(id, value),
      (error: unknown) => server.fail(id, error),
    )
    .finally(() => server.flushSoon());
});

async function prepare({ build: file, styles, settings }: Preparation): Promise<void> {
  const build: ServerBuild = await import(file);
  const { plain, compressed, junction, fingerprint: print } = styles;
  const own = {
    plain: bytes(plain),
    compressed: bytes(compressed),
    junction: bytes(junction),
    fingerprint: print,
  };
  render = createRenderer({ build, mode: 'production', styles: own, settings });
}

async function renderPage(id: number, { site, takesMessages, ...job }: RenderTask): Promise<ThreadPage> {
  if (!render) throw new Error('The thread has to be prepared first.');
  const failures: CarriedError[] = [];
  const { status, headers, body } = await render(job, {
    ...NO_READER,
    fetch: (input, init) => read(id, input, init),
    parseMarkdown: (text) => server.ask(id, text),
    readSite: async () => site,
    sendContact: takesMessages ? notHere : undefined,
    readPreview: notHere,
    isAllowedOrigin: notHere,
    reportFailure: (error) => failures.push(packError(error)),
  });
  if (!isStyled(body)) return { status, headers, body: String(await plainBody(body)), failures };
  const { first, last } = compressParts(body.before, body.after);
  const parts = { first: exactly(first), last: exactly(last), fingerprint: fingerprint(body) };
  return { status, headers, body: parts, failures };
}

/** Has the main thread make a call of the backend. */
async function read(task: number, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body } = init;
  if (typeof input !== 'string' || method !== 'GET' || body) return notHere();
  const question: ThreadRead = { url: input, headers: headers as Record<string, string> };
  return presentResponse(await server.ask<ThreadResponse>(task, question));
}

/** Returns what the client takes of a response. A `Response` would check each header and make a stream of the body. */
function presentResponse({ status, headers, body }: ThreadResponse): Response {
  const response: Pick<Response, 'ok' | 'status' | 'text'> & { headers: Pick<Headers, 'get'> } = {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name] ?? null },
    text: async () => body,
  };
  return response as Response;
}

/** Stands for what pages that are the same for all readers do not need. */
function notHere(): never {
  throw new Error('A page that is the same for all readers only reads.');
}

/** Returns bytes in memory of their own: a message carries, and the cache keeps, all of the 64 kB that Node shares among small Buffers. */
function exactly(shared: Uint8Array): Uint8Array {
  return new Uint8Array(shared);
}

/** Returns the bytes that a message has carried, as a Buffer again. */
function bytes({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
