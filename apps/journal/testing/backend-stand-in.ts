import { createClient, type FabricaClient } from '@fabrica/client';
import type { Checkpoint, CheckpointStore } from '../app/publish/draft/checkpoint.ts';

/** Describes a request as the backend receives it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  body: Record<string, unknown> | FormData;
}

export type RespondTo = (request: ReceivedRequest) => Response | Promise<Response>;

export const ORIGIN = 'https://journal.example';

export const UPLOADED = {
  publicUrl: `${ORIGIN}/storage/journal/posts/1.png?v=ab`,
  path: 'posts/1.png',
  contentType: 'image/png',
  size: 20,
  width: 1280,
  height: 1600,
  placeholder: 'jAcKBgI4R5hniAeXqIZ5h3iHVnlwhQc=',
};

/** Replaces the backend at the level of HTTP, for the requests of the publish screen. */
export interface BackendStandIn {
  client: FabricaClient;
  requests: ReceivedRequest[];
  /** The functions that respond; a test may replace each of them. */
  responses: Record<'upload' | 'remove' | 'text' | 'read' | 'update' | DeskCall, RespondTo>;
  /** Returns the requests whose path ends like this. */
  requestsTo(path: string): ReceivedRequest[];
}

/** The calls of the desk by which a new post is published. */
type DeskCall = 'create' | 'readDraft' | 'save' | 'publish';

const ROUTES: Record<string, keyof BackendStandIn['responses']> = {
  'POST /api/storage/journal/upload': 'upload',
  'DELETE /api/storage/journal/remove': 'remove',
  'POST /api/ai/journal/text': 'text',
  'POST /api/desk/journal/posts': 'create',
  'GET /api/desk/journal/posts/{id}': 'readDraft',
  'PUT /api/desk/journal/posts/{id}': 'save',
  'POST /api/desk/journal/posts/{id}/publish': 'publish',
  'GET /api/db/journal/rest/v1/journal_posts': 'read',
  'PATCH /api/db/journal/rest/v1/journal_posts': 'update',
};

/** Creates a stand-in with which every request succeeds. Any request without a route throws. */
export function createBackendStandIn(): BackendStandIn {
  const requests: ReceivedRequest[] = [];
  const responses: BackendStandIn['responses'] = {
    upload: () => jsonResponse(UPLOADED),
    remove: ({ body }) => jsonResponse({ removed: (body as Record<string, unknown>).paths }),
    text: (request) => translatedText(translationOf(request)),
    create: ({ body }) => jsonResponse({ id: (body as { id: string }).id, version: 1 }, 201),
    readDraft: () => errorResponse(404, 'NOT_FOUND'),
    save: () => jsonResponse({ version: 2, savedAt: 1 }),
    publish: () => jsonResponse({ state: 'published', version: 3, publishedAt: 1 }),
    read: () => jsonResponse([]),
    update: ({ body }) => jsonResponse([{ id: 'x', ...body }]),
  };
  const client = createClient({
    projectId: 'journal',
    origin: ORIGIN,
    secretKey: 'sk_test',
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname;
      const method = init?.method ?? 'GET';
      const body = init?.body instanceof FormData ? init.body : JSON.parse(String(init?.body ?? '{}'));
      const route = ROUTES[`${method} ${path.replace(/\/post_\d+/, '/{id}')}`];
      if (!route) throw new Error(`The stand-in has no route for ${method} ${path}`);
      const request: ReceivedRequest = { method, path, body };
      requests.push(request);
      const { promise: aborted, reject: abort } = Promise.withResolvers<never>();
      init?.signal?.addEventListener('abort', () => abort(init.signal?.reason));
      return Promise.race([responses[route](request), aborted]);
    },
  });
  return {
    client,
    requests,
    responses,
    requestsTo: (path) => requests.filter((request) => request.path.endsWith(path)),
  };
}

/** Creates a draft's checkpoint that lasts as long as the test. */
export function createTestCheckpoint(): CheckpointStore & { stored: Checkpoint } {
  const store = {
    id: 'user_1',
    stored: {} as Checkpoint,
    read: () => store.stored,
    write(next: Checkpoint) {
      store.stored = next;
    },
  };
  return store;
}

export function jsonResponse(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

export function errorResponse(status: number, code: string): Response {
  return jsonResponse({ error: 'No.', code }, status);
}

/** Returns the response of a model that wrote this text. */
export function translatedText(text: unknown, finishReason = 'stop'): Response {
  return jsonResponse({ text, finishReason, usage: {} });
}

/** Returns `[German] The eye` in the language that the prompt names. */
export function translationOf(request: ReceivedRequest): string {
  return `[${targetLanguage(request)}] ${sourceOf(request)}`;
}

/** Returns the English name of the language that the prompt asks for. */
export function targetLanguage(request: ReceivedRequest): string | undefined {
  return /to (English|Spanish|French|German)\./.exec(promptOf(request))?.[1];
}

/** Returns the text that is to be translated. */
export function sourceOf(request: ReceivedRequest): string {
  const prompt = promptOf(request);
  return prompt.slice(prompt.indexOf('\n\n') + 2);
}

function promptOf({ body }: ReceivedRequest): string {
  return body instanceof FormData ? '' : String(body.prompt);
}
