import { createClient, type FabricaClient } from '@fabrica/client';
import type { Achieved, AchievedStore } from '../app/publish/draft/checkpoint.ts';

/** One call as the backend would see it. */
export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown> | FormData;
}

export type Answer = (call: Call) => Response | Promise<Response>;

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

/** A backend that is played at the wire, for what an author's page asks of it. */
export interface ScriptedBackend {
  client: FabricaClient;
  calls: Call[];
  /** What each call is answered with; a test puts its own in place. */
  answers: Record<'upload' | 'remove' | 'text' | 'create' | 'read' | 'update', Answer>;
  callsTo(path: string): Call[];
}

const ROUTES: Record<string, keyof ScriptedBackend['answers']> = {
  'POST /api/storage/journal/upload': 'upload',
  'DELETE /api/storage/journal/remove': 'remove',
  'POST /api/ai/journal/text': 'text',
  'POST /api/db/journal/rest/v1/journal_posts': 'create',
  'GET /api/db/journal/rest/v1/journal_posts': 'read',
  'PATCH /api/db/journal/rest/v1/journal_posts': 'update',
};

export function scriptBackend(): ScriptedBackend {
  const calls: Call[] = [];
  const answers: ScriptedBackend['answers'] = {
    upload: () => json(UPLOADED),
    remove: ({ body }) => json({ removed: (body as Record<string, unknown>).paths }),
    text: (call) => json({ text: translationOf(call), finishReason: 'stop', usage: {} }),
    create: ({ body }) => json([body], 201),
    read: () => json([]),
    update: ({ body }) => json([{ id: 'x', ...body }]),
  };
  const client = createClient({
    projectId: 'journal',
    origin: ORIGIN,
    secretKey: 'sk_test',
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname;
      const method = init?.method ?? 'GET';
      const body = init?.body instanceof FormData ? init.body : JSON.parse(String(init?.body ?? '{}'));
      const call: Call = { method, path, body };
      const answer = ROUTES[`${method} ${path}`];
      if (!answer) throw new Error(`Nobody planned ${method} ${path}`);
      calls.push(call);
      const { promise: aborted, reject: abort } = Promise.withResolvers<never>();
      init?.signal?.addEventListener('abort', () => abort(init.signal?.reason));
      return Promise.race([answers[answer](call), aborted]);
    },
  });
  return { client, calls, answers, callsTo: (path) => calls.filter((call) => call.path.endsWith(path)) };
}

/** What a draft keeps of its tries, for as long as a test runs. */
export function keepInMemory(): AchievedStore & { held: Achieved } {
  const store = {
    held: {} as Achieved,
    read: () => store.held,
    write(next: Achieved) {
      store.held = next;
    },
  };
  return store;
}

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

export function refusal(status: number, code: string): Response {
  return json({ error: 'No.', code }, status);
}

/** `[German] The eye`, by the language that the prompt names. */
export function translationOf(call: Call): string {
  return `[${languageOf(call)}] ${sourceOf(call)}`;
}

export function languageOf(call: Call): string | undefined {
  return /to (English|Spanish|French|German)\./.exec(promptOf(call))?.[1];
}

/** The text that is to be translated. */
export function sourceOf(call: Call): string {
  const prompt = promptOf(call);
  return prompt.slice(prompt.indexOf('\n\n') + 2);
}

function promptOf({ body }: Call): string {
  return body instanceof FormData ? '' : String(body.prompt);
}
