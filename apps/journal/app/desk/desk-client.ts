import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { Language } from '../../project/languages.ts';
import type { DeskDocument } from './document.ts';

export type PostState = 'draft' | 'scheduled' | 'published' | 'unpublished';

export interface DeskPerson {
  id: string;
  name: string | null;
}

/** A post in the list of posts. Times are epoch milliseconds. */
export interface ListedPost {
  id: string;
  title: string;
  state: PostState;
  /** Whether the working copy differs from what readers see. */
  changed: boolean;
  /** The language of the title; null where it is not known. */
  language: Language | null;
  languages: readonly Language[];
  imageUrl: string | null;
  createdAt: number;
  updatedAt: number;
  publishedAt: number | null;
  scheduledAt: number | null;
  /** Whether it was due, and could not be published. */
  missedSchedule: boolean;
  /** Whether it left the schedule with a change by somebody who may not publish it; an older server does not say. */
  takenOffSchedule?: boolean;
  /** `null` where no views are counted. */
  views: number | null;
  owner: DeskPerson;
}

export interface PostsQuery {
  state?: PostState | undefined;
  language?: Language | undefined;
  search?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** The working copy of a post with what may be done with it. Times are epoch milliseconds. */
export interface DeskPost {
  id: string;
  version: number;
  state: PostState;
  changed: boolean;
  document: DeskDocument;
  /** Describes what readers see, or saw last; `null` for a post that was never published. */
  publishedDocument: DeskDocument | null;
  scheduledAt: number | null;
  timeZone: string | null;
  publishedAt: number | null;
  updatedAt: number;
  updatedBy: DeskPerson | null;
  /** Describes what another program has made of the post since it was published here. */
  elsewhere: Elsewhere | null;
  /** `updatedAt` of what another program has made of it, once the author has seen and replaced that. */
  replaces?: number;
  /** Names what took the post from its schedule: fields that it lacked, `slugs`, `elsewhere` or `unapproved`. */
  scheduleFault: readonly string[] | null;
  owner: DeskPerson | null;
  /** Accounts of the byline that were deleted since. */
  goneAccounts: readonly string[];
  can: {
    edit: boolean;
    publish: boolean;
    delete: boolean;
    /** Whether a model proposes descriptions of pictures here. */
    describePictures: boolean;
  };
}

export interface Elsewhere {
  document: DeskDocument;
  updatedAt: number;
}

/** The copy on the server, which somebody has saved meanwhile. */
export interface CurrentCopy<Document = DeskDocument> {
  version: number;
  document: Document;
  updatedBy: DeskPerson | null;
  updatedAt: number;
}

export interface Revision {
  id: string;
  number: number;
  kind: 'published' | 'saved';
  createdAt: number;
  by: DeskPerson;
}

/** A link to a preview: who gave it, and until when. */
export interface PreviewLink {
  id: string;
  by: DeskPerson;
  createdAt: number;
  expiresAt: number;
  /** Whether whoever gave it may still edit the post: otherwise it leads nowhere. */
  works: boolean;
}

/** Tells how a call for one of several posts ended. */
export interface BulkResult {
  id: string;
  error: { code: string; message: string } | null;
}

/** The desk's calls for one project. They throw the errors of the client; `currentCopyOf` reads that of a stale copy. */
export interface DeskClient {
  list(query: PostsQuery): Promise<{ posts: ListedPost[]; cursor: string | null }>;
  read(id: string): Promise<DeskPost>;
  /** Saves a document over the version that it was made from. A save may take a post from its schedule. */
  save(
    id: string,
    copy: VersionedDocument,
    options?: SaveOptions,
  ): Promise<{ version: number; savedAt: number; state: PostState }>;
  publish(id: string, version: number, options?: PublishOptions): Promise<unknown>;
  unschedule(id: string, version: number): Promise<unknown>;
  unpublish(id: string, version: number): Promise<unknown>;
  /** Throws the working copy away. The revision `undo` brings it back. */
  discard(id: string, version: number): Promise<{ version: number; undo: string | null }>;
  remove(ids: readonly string[]): Promise<BulkResult[]>;
  unpublishAll(ids: readonly string[]): Promise<BulkResult[]>;
  revisions(id: string, cursor?: string): Promise<{ revisions: Revision[]; cursor: string | null }>;
  revision(id: string, revisionId: string): Promise<Revision & { document: DeskDocument }>;
  /** Keeps a document in the history that is given up for another one. */
  keep(id: string, document: DeskDocument): Promise<unknown>;
  restore(id: string, revisionId: string, version: number): Promise<unknown>;
  /** Makes a link that shows the working copy to everybody who has it, for some days. */
  preview(id: string, days: number): Promise<{ id: string; url: string; expiresAt: number }>;
  previews(id: string): Promise<PreviewLink[]>;
  /** Withdraws one link to a preview, or all of them. */
  withdrawPreviews(id: string, linkId?: string): Promise<void>;
  /** Finds accounts to name in a byline: by a part of a name that readers see already, or by the whole name. */
  accounts(name: string): Promise<DeskPerson[]>;
  /** Returns whether a model proposes alternative texts of pictures to this account. */
  describesPictures(): Promise<boolean>;
  /** Proposes the alternative text of a picture: a stored one by its URL, or a JPEG in base64. Nothing is stored. */
  describePicture(picture: { url: string } | { jpeg: string }, language: Language): Promise<string>;
}

export interface PublishOptions {
  /** The time of a later publication, and the time zone that its author has named it in. */
  at?: number;
  timeZone?: string;
  /** `updatedAt` of a change by another program that the author has seen, and replaces. */
  replaces?: number;
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

export function createDeskClient(client: Pick<FabricaClient, 'projectId' | 'request'>): DeskClient {
  const root = `/api/desk/${encodeURIComponent(client.projectId)}`;
  const base = `${root}/posts`;
  const pathOf = (id: string, rest = '') => `${base}/${encodeURIComponent(id)}${rest}`;
  // The server's responses are typed by the same schema as its routes.
  const send = <T>(request: Parameters<FabricaClient['request']>[0]) => client.request(request) as Promise<T>;
  const post = <T>(path: string, json: unknown, version?: number) =>
    send<T>({ method: 'POST', path, json, ...(version !== undefined && { headers: ifMatch(version) }) });
  /** Acts on any number of posts, call after call. */
  const actOnAll = async (path: string, ids: readonly string[]): Promise<BulkResult[]> => {
    const all: BulkResult[] = [];
    for (let start = 0; start < ids.length; start += POSTS_AT_ONCE) {
      const some = ids.slice(start, start + POSTS_AT_ONCE);
      all.push(...(await post<{ results: BulkResult[] }>(path, { ids: some })).results);
    }
    return all;
  };
  return {
    list: (query) => send({ method: 'GET', path: base, query: parameters(query) }),
    read: (id) => send({ method: 'GET', path: pathOf(id) }),
    save: (id, { version, document }, { keepalive = false } = {}) =>
      send({ method: 'PUT', path: pathOf(id), json: document, headers: ifMatch(version), keepalive }),
    publish: (id, version, options = {}) => post(pathOf(id, '/publish'), options, version),
    unschedule: (id, version) => post(pathOf(id, '/unschedule'), {}, version),
    unpublish: (id, version) => post(pathOf(id, '/unpublish'), {}, version),
    discard: (id, version) => post(pathOf(id, '/discard'), {}, version),
    remove: (ids) => actOnAll(`${base}/delete`, ids),
    unpublishAll: (ids) => actOnAll(`${base}/unpublish`, ids),
    revisions: (id, cursor) =>
      send({ method: 'GET', path: pathOf(id, '/revisions'), query: parameters({ cursor }) }),
    revision: (id, revisionId) =>
      send({ method: 'GET', path: pathOf(id, `/revisions/${encodeURIComponent(revisionId)}`) }),
    keep: (id, document) => post(pathOf(id, '/revisions'), { document }),
    restore: (id, revisionId, version) =>
      post(pathOf(id, `/revisions/${encodeURIComponent(revisionId)}/restore`), {}, version),
    preview: (id, days) => post(pathOf(id, '/preview'), { days }),
    accounts: async (name) =>
      (
        await send<{ accounts: DeskPerson[] }>({
          method: 'GET',
          path: `${root}/accounts`,
          query: parameters({ name }),
        })
      ).accounts,
    describesPictures: async () =>
      (await send<{ offered: boolean }>({ method: 'GET', path: `${root}/pictures/describe` })).offered,
    describePicture: async (picture, language) =>
      (await post<{ alt: string }>(`${root}/pictures/describe`, { ...picture, language })).alt,
    previews: async (id) =>
      (await send<{ previews: PreviewLink[] }>({ method: 'GET', path: pathOf(id, '/preview') })).previews,
    withdrawPreviews: async (id, linkId) => {
      const rest = linkId === undefined ? '/preview' : `/preview/${encodeURIComponent(linkId)}`;
      await send({ method: 'DELETE', path: pathOf(id, rest) });
    },
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

export function detailOf<T>(error: unknown, name: string): T | undefined {
  if (!(error instanceof FabricaError) || error.status !== 412) return undefined;
  return (error.details as Record<string, T | undefined> | undefined)?.[name];
}

export function ifMatch(version: number): Record<string, string> {
  return { 'if-match': `"${version}"` };
}

export function parameters(query: object): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
