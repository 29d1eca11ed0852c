import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import type { JournalPost } from '../entities.ts';
import type { Language } from '../language/languages.ts';
import type { AchievedStore, UploadedImage } from './achieved.ts';
import {
  TRANSLATION_PARTS,
  type Translation,
  type TranslationPart,
  translatePart,
} from './translate-post.ts';
import { abandonImage, NotAnImageError, uploadImage } from './upload-image.ts';

export interface Draft {
  title: string;
  content: string;
  image: File;
}

/** Where a publish is; `session-ended` is idle again, but nobody is signed in any more. */
export type PublishPhase =
  | { name: 'idle' }
  /** `fraction` from 0 to 1. */
  | { name: 'uploading'; fraction: number }
  | { name: 'translating'; done: number; total: number }
  | { name: 'publishing' }
  | { name: 'session-ended' };

export type FailureReason =
  | 'session-ended'
  | 'offline'
  | 'forbidden'
  | 'not-an-image'
  | 'unreadable'
  | 'too-large'
  | 'storage-full'
  | 'quota-exceeded'
  | 'unknown';

export type PublishOutcome =
  | { kind: 'published'; postId: string; missing: TranslationPart[]; notConfigured: boolean }
  | { kind: 'failed'; reason: FailureReason; error: unknown }
  | { kind: 'cancelled' };

export interface PublishRequest {
  authorId: string;
  draft: Draft;
  achieved: AchievedStore;
}

/** Publishes one post at a time and says where it is. */
export interface Publisher {
  /** The same object until it changes. */
  getPhase(): PublishPhase;
  subscribe(listener: () => void): () => void;
  /** Undefined when a publish is under way already; never throws. */
  publish(request: PublishRequest): Promise<PublishOutcome | undefined>;
  /**
   * Stops what is under way and removes an image that no post has come to name. Once the post itself is being sent,
   * it is too late: nothing happens.
   */
  cancel(achieved: AchievedStore): void;
}

export interface PublisherOptions {
  client: Pick<FabricaClient, 'db' | 'storage' | 'ai'>;
  /** Origins that are ours: an image's address is kept without them, so that it survives a change of domain. */
  origins: readonly string[];
}

/** Upload, eight translations at once, the post itself: in this order (product.md sections 4 and 7). */
export function createPublisher(options: PublisherOptions): Publisher {
  const { client, origins } = options;
  const listeners = new Set<() => void>();
  let phase: PublishPhase = { name: 'idle' };
  let underWay = new AbortController();
  const enter = (next: PublishPhase) => {
    phase = next;
    for (const listener of listeners) listener();
  };

  async function run(
    { authorId, draft, achieved }: PublishRequest,
    signal: AbortSignal,
  ): Promise<PublishOutcome> {
    const enterUnlessCancelled = (next: PublishPhase) => signal.aborted || enter(next);
    enter({ name: 'uploading', fraction: 0 });
    const image = await uploadImage(draft.image, {
      storage: client.storage,
      origins,
      achieved,
      signal,
      onProgress: (fraction) => enterUnlessCancelled({ name: 'uploading', fraction }),
    });
    const translations = await translateAll(draft, achieved, {
      ai: client.ai,
      signal,
      onProgress: (done) =>
        enterUnlessCancelled({ name: 'translating', done, total: TRANSLATION_PARTS.length }),
    });
    signal.throwIfAborted();
    enter({ name: 'publishing' });
    const postId = await savePost({ authorId, draft, image, translations, achieved, client });
    const missing = translations.filter(({ text }) => text === null);
    return {
      kind: 'published',
      postId,
      missing: missing.map(({ field, language }) => ({ field, language })),
      notConfigured: missing.some(({ notConfigured }) => notConfigured),
    };
  }

  return {
    getPhase: () => phase,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async publish(request) {
      if (phase.name !== 'idle' && phase.name !== 'session-ended') return undefined;
      underWay = new AbortController();
      const { signal } = underWay;
      try {
        // What a cancelled run still has to tidy up, it does by itself.
        const outcome = await Promise.race([run(request, signal), cancellation(signal)]);
        if (outcome.kind !== 'cancelled') enter({ name: 'idle' });
        return outcome;
      } catch (error) {
        if (signal.aborted) return { kind: 'cancelled' };
        const reason = failureReason(error);
        enter({ name: reason === 'session-ended' ? 'session-ended' : 'idle' });
        return { kind: 'failed', reason, error };
      }
    },
    cancel(achieved) {
      // Without a session nothing can be removed, and who signs in again goes on with what is there.
      if (phase.name === 'publishing' || phase.name === 'session-ended') return;
      underWay.abort();
      if (phase.name !== 'idle') enter({ name: 'idle' });
      void abandonImage(achieved, client.storage);
    },
  };
}

function cancellation(signal: AbortSignal): Promise<PublishOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }), { once: true });
  });
}

interface TranslateAllOptions {
  ai: FabricaClient['ai'];
  signal: AbortSignal;
  onProgress(done: number): void;
}

async function translateAll(
  draft: Draft,
  achieved: AchievedStore,
  { ai, signal, onProgress }: TranslateAllOptions,
): Promise<Translation[]> {
  const known = achieved.read().translations ?? [];
  let done = 0;
  onProgress(done);
  const results = await Promise.allSettled(
    TRANSLATION_PARTS.map(async (part) => {
      const source = draft[part.field];
      const earlier = known.find((one) => one.language === part.language && one.source === source);
      const translation = earlier
        ? { ...part, text: earlier.text, notConfigured: false }
        : await translatePart(part, source, { ai, signal });
      done += 1;
      onProgress(done);
      return translation;
    }),
  );
  const translations = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  const kept = translations.flatMap(({ field, language, text }) =>
    text === null ? [] : [{ source: draft[field], language, text }],
  );
  achieved.write({ ...achieved.read(), translations: kept });
  const ended = results.find((result) => result.status === 'rejected');
  if (ended) throw ended.reason;
  return translations;
}

interface SaveOptions {
  authorId: string;
  draft: Draft;
  image: UploadedImage;
  translations: readonly Translation[];
  achieved: AchievedStore;
  client: PublisherOptions['client'];
}

/** Creates the post; when an earlier try did so without our hearing of it, brings that one up to date. */
async function savePost({
  authorId,
  draft,
  image,
  translations,
  achieved,
  client,
}: SaveOptions): Promise<string> {
  const posts = client.db.table<JournalPost>('journalPosts');
  const texts = {
    title: draft.title,
    content: draft.content,
    imageUrl: image.url,
    imageWidth: image.width ?? null,
    imageHeight: image.height ?? null,
    imagePlaceholder: image.placeholder ?? null,
    ...localizedTexts(draft, translations),
  };
  const tryId = async (id: string) => {
    achieved.write({ ...achieved.read(), postId: id });
    const now = Date.now();
    await posts.create({ id, userId: authorId, ...texts, createdAt: now, updatedAt: now, published: 1 });
    return id;
  };
  const id = achieved.read().postId ?? newPostId();
  try {
    return await tryId(id);
  } catch (error) {
    if (!(error instanceof FabricaError) || error.status !== 409) throw error;
    const existing = await posts.get(id);
    if (existing?.userId !== authorId) return tryId(newPostId());
    await posts.update(id, texts);
    return id;
  }
}

function newPostId(): string {
  return `post_${Date.now()}`;
}

type LocalizedTexts = Pick<JournalPost, `${'title' | 'content'}${Capitalize<Language>}`>;

/** The eight language columns; the original text where a translation is missing. */
function localizedTexts(draft: Draft, translations: readonly Translation[]): LocalizedTexts {
  const textOf = (field: TranslationPart['field'], language: Language) =>
    translations.find((one) => one.field === field && one.language === language)?.text ?? draft[field];
  return {
    titleEn: textOf('title', 'en'),
    titleEs: textOf('title', 'es'),
    titleFr: textOf('title', 'fr'),
    titleDe: textOf('title', 'de'),
    contentEn: textOf('content', 'en'),
    contentEs: textOf('content', 'es'),
    contentFr: textOf('content', 'fr'),
    contentDe: textOf('content', 'de'),
  };
}

function failureReason(error: unknown): FailureReason {
  if (error instanceof NotAnImageError) return 'not-an-image';
  if (error instanceof AuthError) return 'session-ended';
  if (!(error instanceof FabricaError)) return 'unknown';
  switch (error.code) {
    case 'FORBIDDEN':
      return 'forbidden';
    case 'FILE_UNREADABLE':
      return 'unreadable';
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'not-an-image';
    case 'PAYLOAD_TOO_LARGE':
      return 'too-large';
    case 'STORAGE_FULL':
      return 'storage-full';
    case 'QUOTA_EXCEEDED':
      return 'quota-exceeded';
    case 'NETWORK_ERROR':
      return error.status === null ? 'offline' : 'unknown';
    default:
      return 'unknown';
  }
}
