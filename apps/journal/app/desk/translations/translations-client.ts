import type { FabricaClient } from '@fabrica/client';
import type { findSimilar } from '../../../desk/translations/memory/memory.ts';
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
import type { SaveOptions } from '../desk-client.ts';
import { createSendDeskRequest, deskUrl, pathOf, type ResponseOf } from '../desk-requests.ts';

/** Names the translation of a post into one language. */
export interface TranslationName {
  postId: string;
  language: Language;
}

export type ReleaseAction = 'release' | 'hold' | 'withdraw';

export type SegmentAction =
  /** A person has read it and found it right. Whether readers get the language then is asked of its own. */
  | { name: 'accept'; release: false }
  /** `text` is the proposal as it is shown. */
  | { name: 'take-proposal'; text: string }
  | { name: 'overrule'; reason: string }
  | { name: 'restore'; version: number };

interface SegmentInVersion {
  id: string;
  version: number;
}

export const XLIFF_TYPE = 'application/xliff+xml';

export type TranslationsClient = ReturnType<typeof createTranslationsClient>;

const inLanguage = ({ postId, language }: TranslationName) =>
  pathOf`/posts/${postId}/translations/${language}`;
const ofSegment = (name: TranslationName, segment: string) => inLanguage(name) + pathOf`/segments/${segment}`;

/** Returns the calls about the translations of posts. They throw the errors of the client. */
export function createTranslationsClient(
  client: Pick<FabricaClient, 'projectId' | 'request' | 'requestText'>,
) {
  const send = createSendDeskRequest(client);
  return {
    overview: (postId: string) => send<PostTranslations>('GET', pathOf`/posts/${postId}/translations`),
    read: (name: TranslationName) => send<LanguageTranslation>('GET', inLanguage(name)),
    save: (
      name: TranslationName,
      { id, version, text }: SegmentInVersion & { text: string },
      { keepalive = false }: SaveOptions = {},
    ) => send<TranslatedSegment>('PUT', ofSegment(name, id), { json: { text }, version, keepalive }),
    /** Acts on one segment in the version that the caller has seen. */
    act: (
      name: TranslationName,
      { id, version }: SegmentInVersion,
      { name: action, ...json }: SegmentAction,
    ) => send<TranslatedSegment>('POST', `${ofSegment(name, id)}/${action}`, { json, version }),
    history: async (name: TranslationName, segment: string) =>
      (await send<{ versions: SegmentVersion[] }>('GET', `${ofSegment(name, segment)}/history`)).versions,
    /** Returns pairs of the memory whose original is like that of a segment, the most alike first. */
    matches: async (name: TranslationName, segment: string) =>
      (await send<{ matches: ResponseOf<typeof findSimilar> }>('GET', `${ofSegment(name, segment)}/matches`))
        .matches,
    comments: async (name: TranslationName, segment: string) =>
      (await send<{ comments: SegmentComment[] }>('GET', `${ofSegment(name, segment)}/comments`)).comments,
    addComment: (name: TranslationName, segment: string, text: string) =>
      send<SegmentComment>('POST', `${ofSegment(name, segment)}/comments`, { json: { text } }),
    removeComment: (name: TranslationName, segment: string, comment: string) =>
      send<void>('DELETE', ofSegment(name, segment) + pathOf`/comments/${comment}`),
    release: (name: TranslationName, action: ReleaseAction) =>
      send<LanguageStatus>('POST', `${inLanguage(name)}/${action}`, { json: {} }),
    setRule: (name: TranslationName, rule: ReleaseRule) =>
      send<unknown>('PUT', `${inLanguage(name)}/rule`, { json: { rule } }),
    translate: (
      postId: string,
      json: { languages?: readonly Language[]; segments?: readonly string[] } = {},
    ) => send<TranslationJob>('POST', pathOf`/posts/${postId}/translations/translate`, { json }),
    job: (postId: string) => send<TranslationJob | null>('GET', pathOf`/posts/${postId}/translations/job`),
    cancelJob: (postId: string) => send<void>('DELETE', pathOf`/posts/${postId}/translations/job`),
    exportXliff: (name: TranslationName) =>
      client.requestText({ method: 'GET', path: deskUrl(client, `${inLanguage(name)}.xlf`) }),
    importXliff: (name: TranslationName, text: string) =>
      send<unknown>('POST', `${inLanguage(name)}.xlf`, { text, type: XLIFF_TYPE }),
  };
}
