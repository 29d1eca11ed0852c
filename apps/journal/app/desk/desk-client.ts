import type { FabricaClient } from '@fabrica/client';
import type { discardChanges, savePost } from '../../desk/edit-post.ts';
import type { findAccounts } from '../../desk/find-accounts.ts';
import type { listPosts, PostListQuery } from '../../desk/list-posts.ts';
import type { createPreview, listPreviews } from '../../desk/previews.ts';
import type { PublishOptions as ServerPublishOptions } from '../../desk/publishing/publish-post.ts';
import type { PostStatus } from '../../desk/queries.ts';
import type { readDeskPost } from '../../desk/read-post.ts';
import type { listRevisions, readRevision, restoreRevision } from '../../desk/revisions.ts';
import type { BulkResult } from '../../desk/routes.ts';
import type { Language } from '../../project/languages.ts';
import type { PlateMark } from '../../project/marks.ts';
import { createSendDeskRequest, detailOf, pathOf, type ResponseOf } from './desk-requests.ts';
import type { DeskDocument } from './document.ts';

export type PostState = PostStatus;
export type PostsPage = ResponseOf<typeof listPosts>;
/** A post in the list of posts. Times are epoch milliseconds. */
export type ListedPost = PostsPage['posts'][number];
export type PostsQuery = Partial<PostListQuery>;
export type DeskPerson = ListedPost['owner'];
export type Revision = ResponseOf<typeof listRevisions>['revisions'][number];
export type PreviewLink = ResponseOf<typeof listPreviews>['previews'][number];

type ReadPost = ResponseOf<typeof readDeskPost>;
/** The working copy of a post with what may be done with it. Times are epoch milliseconds. */
export interface DeskPost extends ReadPost {
  /** `updatedAt` of what another program has made of it, once the author has seen and replaced that. */
  replaces?: number;
  /** Also whether a model proposes descriptions of pictures here. */
  can: ReadPost['can'] & { describePictures: boolean };
}

export type Elsewhere = NonNullable<DeskPost['elsewhere']>;
/** The time of a later publication, with its time zone, and the change by another program that the author replaces. */
export type PublishOptions = Omit<ServerPublishOptions, 'version'>;

/** The copy on the server, which somebody has saved meanwhile. */
export interface CurrentCopy<Document = DeskDocument> {
  version: number;
  document: Document;
  updatedBy: { id: string; name: string | null } | null;
  updatedAt: number;
}

export interface VersionedDocument<Document = DeskDocument> {
  version: number;
  document: Document;
}

export interface SaveOptions {
  /** Lets the call outlive the page. */
  keepalive?: boolean;
}

/** The most posts that one call acts on. */
const POSTS_AT_ONCE = 100;

export type DeskClient = ReturnType<typeof createDeskClient>;

/** Returns the desk's calls for one project. They throw the errors of the client; `currentCopyOf` reads that of a stale copy. */
export function createDeskClient(client: Pick<FabricaClient, 'projectId' | 'request'>) {
  const send = createSendDeskRequest(client);
  /** Acts on one post in the version that the caller has seen. */
  const act = <Response = unknown>(path: string, version: number, json: object = {}) =>
    send<Response>('POST', path, { json, version });
  /** Acts on any number of posts, call after call. */
  const actOnAll = async (path: string, ids: readonly string[]): Promise<BulkResult[]> => {
    const all: BulkResult[] = [];
    for (let start = 0; start < ids.length; start += POSTS_AT_ONCE) {
      const json = { ids: ids.slice(start, start + POSTS_AT_ONCE) };
      all.push(...(await send<{ results: BulkResult[] }>('POST', path, { json })).results);
    }
    return all;
  };
  return {
    list: (query: PostsQuery) => send<PostsPage>('GET', '/posts', { query }),
    read: (id: string) => send<DeskPost>('GET', pathOf`/posts/${id}`),
    /** Saves a document over the version that it was made from. A save may take a post from its schedule. */
    save: (id: string, { version, document }: VersionedDocument, { keepalive = false }: SaveOptions = {}) =>
      send<ResponseOf<typeof savePost>>('PUT', pathOf`/posts/${id}`, {
        json: document,
        version,
        keepalive,
      }),
    publish: (id: string, version: number, options: PublishOptions = {}) =>
      act(pathOf`/posts/${id}/publish`, version, options),
    unschedule: (id: string, version: number) => act(pathOf`/posts/${id}/unschedule`, version),
    unpublish: (id: string, version: number) => act(pathOf`/posts/${id}/unpublish`, version),
    /** Throws the working copy away. The revision `undo` brings it back. */
    discard: (id: string, version: number) =>
      act<ResponseOf<typeof discardChanges>>(pathOf`/posts/${id}/discard`, version),
    remove: (ids: readonly string[]) => actOnAll('/posts/delete', ids),
    unpublishAll: (ids: readonly string[]) => actOnAll('/posts/unpublish', ids),
    revisions: (id: string, cursor?: string) =>
      send<ResponseOf<typeof listRevisions>>('GET', pathOf`/posts/${id}/revisions`, { query: { cursor } }),
    revision: (id: string, revision: string) =>
      send<ResponseOf<typeof readRevision>>('GET', pathOf`/posts/${id}/revisions/${revision}`),
    /** Keeps a document in the history that is given up for another one. */
    keep: (id: string, document: DeskDocument) =>
      send<unknown>('POST', pathOf`/posts/${id}/revisions`, { json: { document } }),
    restore: (id: string, revision: string, version: number) =>
      act<ResponseOf<typeof restoreRevision>>(pathOf`/posts/${id}/revisions/${revision}/restore`, version),
    /** Makes a link that shows the working copy to everybody who has it, for some days. */
    preview: (id: string, days: number) =>
      send<ResponseOf<typeof createPreview>>('POST', pathOf`/posts/${id}/preview`, { json: { days } }),
    previews: async (id: string) =>
      (await send<ResponseOf<typeof listPreviews>>('GET', pathOf`/posts/${id}/preview`)).previews,
    /** Withdraws one link to a preview, or all of them. */
    withdrawPreviews: (id: string, link?: string) =>
      send<void>(
        'DELETE',
        link === undefined ? pathOf`/posts/${id}/preview` : pathOf`/posts/${id}/preview/${link}`,
      ),
    /** Finds accounts to name in a byline: by a part of a name that readers see already, or by the whole name. */
    accounts: async (name: string) =>
      (await send<{ accounts: ResponseOf<typeof findAccounts> }>('GET', '/accounts', { query: { name } }))
        .accounts,
    /** Returns whether a model proposes alternative texts of pictures to this account. */
    describesPictures: async () => (await send<{ offered: boolean }>('GET', '/pictures/describe')).offered,
    /** Proposes the alternative text of a stored picture, or a long description, which names these marks. Nothing is stored. */
    describePicture: async (picture: {
      url: string;
      language: Language;
      long?: { marks: readonly PlateMark[] } | undefined;
    }) => (await send<{ text: string }>('POST', '/pictures/describe', { json: picture })).text,
  };
}

/** Returns the copy of the server from the error of a stale one, or `undefined` for any other error. */
export function currentCopyOf(error: unknown): CurrentCopy | undefined {
  return detailOf<CurrentCopy>(error, 'current');
}

/** Returns what another program has made of the post, from the error of a publication that would replace it. */
export function elsewhereOf(error: unknown): Elsewhere | undefined {
  return detailOf<Elsewhere>(error, 'elsewhere');
}
