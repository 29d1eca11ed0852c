import type { FabricaClient } from '@fabrica/client';
import type { Language } from '../../../project/languages.ts';
import type {
  LanguageStatus,
  LanguageTranslation,
  PostTranslations,
  ReleaseRule,
  SegmentComment,
  SegmentVersion,
  TranslatedSegment,
  TranslationJob,
} from '../../../project/translations.ts';
import { ifMatch, parameters, type SaveOptions } from '../desk-client.ts';

/** Names the translation of a post into one language. */
export interface TranslationName {
  postId: string;
  language: Language;
}

export type ReleaseAction = 'release' | 'hold' | 'withdraw';

/** The calls about the translations of posts. They throw the errors of the client. */
export interface TranslationsClient {
  overview(postId: string): Promise<PostTranslations>;
  read(name: TranslationName): Promise<LanguageTranslation>;
  save(
    name: TranslationName,
    segment: { id: string; version: number; text: string },
    options?: SaveOptions,
  ): Promise<TranslatedSegment>;
  /** Acts on one segment in the version that the caller has seen. */
  act(
    name: TranslationName,
    segment: { id: string; version: number },
    action: SegmentAction,
  ): Promise<TranslatedSegment>;
  history(name: TranslationName, segment: string): Promise<SegmentVersion[]>;
  /** Returns pairs of the memory whose original is like that of a segment, the most alike first. */
  matches(name: TranslationName, segment: string): Promise<MemoryMatch[]>;
  comments(name: TranslationName, segment: string): Promise<SegmentComment[]>;
  addComment(name: TranslationName, segment: string, text: string): Promise<SegmentComment>;
  removeComment(name: TranslationName, segment: string, comment: string): Promise<void>;
  release(name: TranslationName, action: ReleaseAction): Promise<LanguageStatus>;
  setRule(name: TranslationName, rule: ReleaseRule): Promise<unknown>;
  translate(
    postId: string,
    what?: { languages?: readonly Language[]; segments?: readonly string[] },
  ): Promise<TranslationJob>;
  job(postId: string): Promise<TranslationJob | null>;
  cancelJob(postId: string): Promise<void>;
  exportXliff(name: TranslationName): Promise<string>;
  importXliff(name: TranslationName, file: string): Promise<unknown>;
}

/** Tells how a text like that of a segment was translated before. */
export interface MemoryMatch {
  source: string;
  text: string;
  /** 1 for the same words. */
  similarity: number;
}

export type SegmentAction =
  /** A person has read it and found it right. */
  | { name: 'accept' }
  | { name: 'take-proposal' }
  | { name: 'overrule'; reason: string }
  | { name: 'restore'; version: number };

export const XLIFF_TYPE = 'application/xliff+xml';

export function createTranslationsClient(
  client: Pick<FabricaClient, 'projectId' | 'request' | 'requestText'>,
): TranslationsClient {
  const posts = `/api/desk/${encodeURIComponent(client.projectId)}/posts`;
  const pathOf = (postId: string, rest = '') => `${posts}/${encodeURIComponent(postId)}/translations${rest}`;
  const inLanguage = ({ postId, language }: TranslationName, rest = '') =>
    pathOf(postId, `/${language}${rest}`);
  const ofSegment = (name: TranslationName, id: string, rest = '') =>
    inLanguage(name, `/segments/${encodeURIComponent(id)}${rest}`);
  const send = <T>(request: Parameters<FabricaClient['request']>[0]) => client.request(request) as Promise<T>;
  const get = <T>(path: string, query: object = {}) =>
    send<T>({ method: 'GET', path, query: parameters(query) });
  const post = <T>(path: string, json: unknown = {}, version?: number) =>
    send<T>({ method: 'POST', path, json, ...(version !== undefined && { headers: ifMatch(version) }) });
  return {
    overview: (postId) => get(pathOf(postId)),
    read: (name) => get(inLanguage(name)),
    save: (name, { id, version, text }, { keepalive = false } = {}) =>
      send({
        method: 'PUT',
        path: ofSegment(name, id),
        json: { text },
        headers: ifMatch(version),
        keepalive,
      }),
    act: (name, { id, version }, { name: action, ...body }) =>
      post(ofSegment(name, id, `/${action}`), body, version),
    history: async (name, segment) =>
      (await get<{ versions: SegmentVersion[] }>(ofSegment(name, segment, '/history'))).versions,
    matches: async (name, segment) =>
      (await get<{ matches: MemoryMatch[] }>(ofSegment(name, segment, '/matches'))).matches,
    comments: async (name, segment) =>
      (await get<{ comments: SegmentComment[] }>(ofSegment(name, segment, '/comments'))).comments,
    addComment: (name, segment, text) => post(ofSegment(name, segment, '/comments'), { text }),
    removeComment: async (name, segment, comment) => {
      const path = ofSegment(name, segment, `/comments/${encodeURIComponent(comment)}`);
      await send({ method: 'DELETE', path });
    },
    release: (name, action) => post(inLanguage(name, `/${action}`)),
    setRule: (name, rule) => send({ method: 'PUT', path: inLanguage(name, '/rule'), json: { rule } }),
    translate: (postId, what = {}) => post(pathOf(postId, '/translate'), what),
    job: (postId) => get(pathOf(postId, '/job')),
    cancelJob: async (postId) => void (await send({ method: 'DELETE', path: pathOf(postId, '/job') })),
    exportXliff: (name) => client.requestText({ method: 'GET', path: `${inLanguage(name)}.xlf` }),
    importXliff: (name, text) =>
      send({
        method: 'POST',
        path: `${inLanguage(name)}.xlf`,
        text,
        headers: { 'content-type': XLIFF_TYPE },
      }),
  };
}
