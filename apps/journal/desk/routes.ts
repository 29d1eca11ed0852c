import {
  type AppEnvironment,
  AppError,
  parseJsonBody,
  parseWith,
  type RateLimit,
  requireUser,
} from '@fabrica/backend';
import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { type PostDocument, writtenDocument } from '../project/document.ts';
import { acceptByline, leaveByline, listBylines } from './bylines.ts';
import type { PictureDescriber } from './describe-picture.ts';
import type { DeskContext, PostRequest } from './desk-context.ts';
import { createPost, deletePost, discardChanges, savePost } from './edit-post.ts';
import { findAccounts } from './find-accounts.ts';
import { listPosts } from './list-posts.ts';
import { createPreview, listPreviews, readPreview, withdrawPreviews } from './previews.ts';
import { parseLocalTime } from './publishing/local-time.ts';
import { publishPost, unpublishPost, unschedulePost } from './publishing/publish-post.ts';
import { readDeskPost } from './read-post.ts';
import {
  accountsQuery,
  createBody,
  describeBody,
  etagOf,
  idsBody,
  keepBody,
  listQuery,
  MAX_DOCUMENT_BYTES,
  previewBody,
  publishBody,
  requireIfMatch,
  revisionsQuery,
  writerQuery,
} from './requests.ts';
import { requireOwnImages, requireReadable } from './require-readable.ts';
import { keepRevision, listRevisions, readRevision, restoreRevision } from './revisions.ts';
import { addCommentRoutes } from './translations/comments/routes.ts';
import type { CommentTranslator } from './translations/comments/translate-comment.ts';
import { addExchangeRoutes } from './translations/exchange/routes.ts';
import { addGlossaryRoutes } from './translations/glossary/routes.ts';
import { addJobRoutes } from './translations/jobs/routes.ts';
import type { TranslationJobs } from './translations/jobs/translation-jobs.ts';
import { addMemoryRoutes } from './translations/memory/routes.ts';
import { translationRoutes } from './translations/routes.ts';

/** An autosave a second leaves room for two tabs. */
const WRITES: RateLimit = { name: 'desk:writes', points: 150, duration: 60 };
const CREATIONS: RateLimit = {
  name: 'desk:creations',
  points: 100,
  duration: 3_600,
  message: 'One account may begin 100 posts an hour. Please wait a while and try again.',
};
/**
 * Paragraphs and other segments of the documents that an account saves: comparing 5,000 takes the server most of a second.
 * A text of 1,000 can be saved every second and a half.
 */
const SEGMENTS: RateLimit = {
  name: 'desk:segments',
  points: 40_000,
  duration: 60,
  message: 'You have saved very long texts very often. Please wait a moment and try again.',
};
const DESCRIPTIONS: RateLimit = { name: 'desk:picture-descriptions', points: 30, duration: 60 };
const ACCOUNT_SEARCHES: RateLimit = { name: 'desk:accounts', points: 60, duration: 60 };

type DeskRequest = Context<AppEnvironment>;

/** The models that translate on the server, and describe pictures. */
interface DeskMachines {
  jobs: TranslationJobs;
  comments: CommentTranslator;
  pictures: PictureDescriber;
}

/** Returns the routes of `/api/desk/{projectId}`, which only the journal's own project has. */
export function deskRoutes(desk: DeskContext, machines: DeskMachines): Hono<AppEnvironment> {
  const { jobs, comments, pictures } = machines;
  const routes = new Hono<AppEnvironment>();
  routes.use(async (c, next) => {
    if (c.var.project.definition.id !== desk.project.definition.id) {
      throw new AppError('NOT_FOUND', 'There is nothing at this address.');
    }
    c.header('cache-control', 'private, no-store');
    await next();
  });
  addPostRoutes(routes, desk, pictures);
  addPictureRoutes(routes, desk, pictures);
  addPublicationRoutes(routes, desk);
  addRevisionRoutes(routes, desk);
  addPreviewRoutes(routes, desk);
  addJobRoutes(routes, desk, jobs);
  addGlossaryRoutes(routes, desk);
  addMemoryRoutes(routes, desk);
  addExchangeRoutes(routes, desk);
  addCommentRoutes(routes, desk, comments);
  routes.route('/', translationRoutes(desk));
  return routes;
}

const requestOf = (desk: DeskContext, c: DeskRequest): PostRequest => ({
  desk,
  caller: requireUser(c.var.caller),
  postId: c.req.param('id') ?? '',
});

/** Returns the request of a write, which is counted. Throws RATE_LIMITED. */
async function writeOf(desk: DeskContext, c: DeskRequest): Promise<PostRequest> {
  const request = requestOf(desk, c);
  await desk.limits.consume(WRITES, request.caller.id);
  return request;
}

/** Reads the body of a write whose document is counted by its segments. Throws RATE_LIMITED. */
async function readDocument<T>(
  desk: DeskContext,
  c: DeskRequest,
  { schema, documentOf }: { schema: z.ZodType<T>; documentOf: (body: T) => PostDocument },
): Promise<T> {
  const { limits, originals } = desk;
  const { id } = requireUser(c.var.caller);
  // An account that has used them up gets the error before the text is split.
  await limits.consume(SEGMENTS, id);
  const body = await parseJsonBody(c, schema, MAX_DOCUMENT_BYTES);
  const document = documentOf(body);
  await requireOwnImages(desk, document, c.req.param('id'));
  await requireReadable(originals, document);
  const { segments } = await originals.of(document);
  await limits.consume(SEGMENTS, id, segments.length);
  return body;
}

/** Adds what is proposed of a picture. Its proposals are the caller's to take or leave, so they are no writes. */
function addPictureRoutes(
  routes: Hono<AppEnvironment>,
  { limits }: DeskContext,
  pictures: PictureDescriber,
): void {
  routes.get('/pictures/describe', (c) => c.json({ offered: pictures.isOffered(requireUser(c.var.caller)) }));
  routes.post('/pictures/describe', async (c) => {
    const caller = requireUser(c.var.caller);
    await limits.consume(DESCRIPTIONS, caller.id);
    const body = await parseJsonBody(c, describeBody);
    return c.json({ text: await pictures.describe(caller, { ...body, signal: c.req.raw.signal }) });
  });
}

function addPostRoutes(routes: Hono<AppEnvironment>, desk: DeskContext, pictures: PictureDescriber): void {
  routes.get('/posts', async (c) => {
    const caller = requireUser(c.var.caller);
    return c.json(await listPosts(desk, caller, parseWith(listQuery, c.req.query())));
  });
  routes.get('/accounts', async (c) => {
    const caller = requireUser(c.var.caller);
    await desk.limits.consume(ACCOUNT_SEARCHES, caller.id);
    const { name } = parseWith(accountsQuery, c.req.query());
    return c.json({ accounts: await findAccounts(desk, caller, name) });
  });
  routes.post('/posts', async (c) => {
    const { caller } = await writeOf(desk, c);
    await desk.limits.consume(CREATIONS, caller.id);
    const body = await readDocument(desk, c, { schema: createBody, documentOf: ({ document }) => document });
    const { translatedBy } = parseWith(writerQuery, c.req.query());
    const { created, ...post } = await createPost({ desk, caller }, { ...body, translatedBy });
    return c.json(post, created ? 201 : 200, { etag: etagOf(post.version) });
  });
  routes.post('/posts/delete', async (c) => {
    const { caller } = await writeOf(desk, c);
    const { ids } = await parseJsonBody(c, idsBody);
    return c.json({ results: await each(ids, (postId) => deletePost({ desk, caller, postId })) });
  });
  routes.post('/posts/unpublish', async (c) => {
    const { caller } = await writeOf(desk, c);
    const { ids } = await parseJsonBody(c, idsBody);
    return c.json({ results: await each(ids, (postId) => unpublishPost({ desk, caller, postId })) });
  });
  routes.get('/posts/:id', async (c) => {
    const request = requestOf(desk, c);
    const post = await readDeskPost(request);
    const describePictures = post.can.edit && pictures.isOffered(request.caller);
    return c.json({ ...post, can: { ...post.can, describePictures } }, 200, { etag: etagOf(post.version) });
  });
  routes.put('/posts/:id', async (c) => {
    const request = await writeOf(desk, c);
    const version = requireIfMatch(c);
    const document = await readDocument(desk, c, { schema: writtenDocument, documentOf: (body) => body });
    const { translatedBy } = parseWith(writerQuery, c.req.query());
    const saved = await savePost(request, version, { document, translatedBy });
    return c.json(saved, 200, { etag: etagOf(saved.version) });
  });
  routes.get('/bylines', async (c) => {
    return c.json({ posts: await listBylines(desk, requireUser(c.var.caller).id) });
  });
  routes.put('/posts/:id/byline', async (c) => {
    await acceptByline(await writeOf(desk, c));
    return c.body(null, 204);
  });
  routes.delete('/posts/:id/byline', async (c) => {
    await leaveByline(await writeOf(desk, c));
    return c.body(null, 204);
  });
  routes.delete('/posts/:id', async (c) => {
    await deletePost(await writeOf(desk, c));
    return c.body(null, 204);
  });
  routes.post('/posts/:id/discard', async (c) => {
    const discarded = await discardChanges(await writeOf(desk, c), requireIfMatch(c));
    return c.json(discarded, 200, { etag: etagOf(discarded.version) });
  });
}

function addPublicationRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  routes.post('/posts/:id/publish', async (c) => {
    const request = await writeOf(desk, c);
    const version = requireIfMatch(c);
    const { at, ...body } = await parseJsonBody(c, publishBody);
    const time = typeof at === 'string' ? parseLocalTime(at, body.timeZone ?? '') : at;
    const published = await publishPost(request, { ...body, version, at: time });
    return c.json(published, 200, { etag: etagOf(published.version) });
  });
  routes.post('/posts/:id/unschedule', async (c) => {
    const post = await unschedulePost(await writeOf(desk, c), requireIfMatch(c));
    return c.json(post, 200, { etag: etagOf(post.version) });
  });
  routes.post('/posts/:id/unpublish', async (c) => {
    const post = await unpublishPost(await writeOf(desk, c), requireIfMatch(c));
    return c.json(post, 200, { etag: etagOf(post.version) });
  });
}

function addRevisionRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  routes.get('/posts/:id/revisions', async (c) => {
    const { cursor } = parseWith(revisionsQuery, c.req.query());
    return c.json(await listRevisions(requestOf(desk, c), cursor));
  });
  routes.post('/posts/:id/revisions', async (c) => {
    const request = await writeOf(desk, c);
    const { document } = await parseJsonBody(c, keepBody, MAX_DOCUMENT_BYTES);
    await requireOwnImages(desk, document, c.req.param('id'));
    await requireReadable(desk.originals, document);
    return c.json(await keepRevision(request, document), 201);
  });
  routes.get('/posts/:id/revisions/:revision', async (c) =>
    c.json(await readRevision(requestOf(desk, c), c.req.param('revision'))),
  );
  routes.post('/posts/:id/revisions/:revision/restore', async (c) => {
    const request = await writeOf(desk, c);
    const restored = await restoreRevision(request, c.req.param('revision'), requireIfMatch(c));
    return c.json(restored, 200, { etag: etagOf(restored.version) });
  });
}

function addPreviewRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  routes.post('/posts/:id/preview', async (c) => {
    const request = await writeOf(desk, c);
    const { days } = await parseJsonBody(c, previewBody);
    return c.json(await createPreview(request, days), 201);
  });
  routes.get('/posts/:id/preview', async (c) => c.json(await listPreviews(requestOf(desk, c))));
  routes.delete('/posts/:id/preview/:link?', async (c) => {
    await withdrawPreviews(await writeOf(desk, c), c.req.param('link'));
    return c.body(null, 204);
  });
  // The token is in the query, which no log has.
  routes.get('/preview', async (c) => c.json(await readPreview(desk, c.req.query('token') ?? '')));
}

/** Tells how a call for one of several posts ended. */
export interface BulkResult {
  id: string;
  error: { code: string; message: string } | null;
}

/** Acts on several posts, of which each has its own result: one that may not be touched does not keep the others. */
async function each(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const id of new Set(ids)) {
    try {
      await act(id);
      results.push({ id, error: null });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      results.push({ id, error: { code: error.code, message: error.message } });
    }
  }
  return results;
}
