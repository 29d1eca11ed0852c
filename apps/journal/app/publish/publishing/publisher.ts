import type { FabricaClient } from '@fabrica/client';
import type { AchievedStore } from '../draft/checkpoint.ts';
import type { Translation, TranslationFault } from '../translation/translate-part.ts';
import { type PartProgress, translateParts } from '../translation/translate-parts.ts';
import {
  type SourceTexts,
  TRANSLATION_PARTS,
  type TranslationPart,
} from '../translation/translation-parts.ts';
import { type FailureReason, failureReason } from './failure-reason.ts';
import { savePost } from './save-post.ts';
import { abandonImage, uploadImage } from './upload-image.ts';
import type { WhileAlone } from './while-alone.ts';

export interface Draft extends SourceTexts {
  image: File;
}

/** Where a publish is; `session-ended` is idle again, but nobody is signed in any more. */
export type PublishPhase =
  | { name: 'idle' }
  /** `fraction` from 0 to 1. */
  | { name: 'uploading'; fraction: number }
  /** All eight parts; `publishes` when the post follows, and not only a look at them. */
  | { name: 'translating'; parts: readonly PartProgress[]; publishes: boolean }
  | { name: 'publishing' }
  | { name: 'session-ended' };

export interface Failed {
  kind: 'failed';
  reason: FailureReason;
  error: unknown;
}

export interface MissingPart extends TranslationPart {
  fault: TranslationFault;
}

export type PublishOutcome =
  | { kind: 'published'; postId: string; missing: MissingPart[] }
  | Failed
  | { kind: 'cancelled' };

export type TranslateOutcome =
  | { kind: 'translated'; missing: MissingPart[] }
  | Failed
  | { kind: 'cancelled' };

interface Request {
  authorId: string;
  achieved: AchievedStore;
}

export interface PublishRequest extends Request {
  draft: Draft;
}

export interface TranslateRequest extends Request {
  texts: SourceTexts;
}

/** Publishes one post at a time and says where it is. */
export interface Publisher {
  /** The same object until it changes. */
  getPhase(): PublishPhase;
  subscribe(listener: () => void): () => void;
  /** Undefined when something is under way already; never throws. */
  publish(request: PublishRequest): Promise<PublishOutcome | undefined>;
  /** Translates what is not translated yet, and no more: publishing takes it from there. As `publish`. */
  translate(request: TranslateRequest): Promise<TranslateOutcome | undefined>;
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
  /** Keeps other tabs of the same author out meanwhile. */
  whileAlone?: WhileAlone;
}

/** Upload, eight translations at once, the post itself: in this order (docs/spec/product.md sections 4 and 7). */
export function createPublisher({
  client,
  origins,
  whileAlone = (_, work) => work(),
}: PublisherOptions): Publisher {
  const listeners = new Set<() => void>();
  let phase: PublishPhase = { name: 'idle' };
  let underWay = new AbortController();
  const enter = (next: PublishPhase) => {
    phase = next;
    for (const listener of listeners) listener();
  };

  const translateAll = (texts: SourceTexts, { achieved, signal, publishes }: TranslateAllOptions) =>
    translateParts(texts, {
      parts: TRANSLATION_PARTS,
      ai: client.ai,
      achieved,
      signal,
      onProgress: (parts) => signal.aborted || enter({ name: 'translating', parts, publishes }),
    });

  async function publish(
    { authorId, draft, achieved }: PublishRequest,
    signal: AbortSignal,
  ): Promise<PublishOutcome> {
    const image = await uploadImage(draft.image, {
      storage: client.storage,
      origins,
      achieved,
      signal,
      onProgress: (fraction) => signal.aborted || enter({ name: 'uploading', fraction }),
    });
    const translations = await translateAll(draft, { achieved, signal, publishes: true });
    signal.throwIfAborted();
    enter({ name: 'publishing' });
    const postId = await savePost({ authorId, texts: draft, image, translations, achieved, db: client.db });
    return { kind: 'published', postId, missing: missingOf(translations) };
  }

  /** One thing at a time, in this tab and the others. What a cancelled one still has to tidy up, it does by itself. */
  async function alone<Outcome>(
    { authorId, first }: { authorId: string; first: PublishPhase },
    run: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome | Failed | { kind: 'cancelled' } | undefined> {
    if (phase.name !== 'idle' && phase.name !== 'session-ended') return undefined;
    underWay = new AbortController();
    const { signal } = underWay;
    // At once, so that a second press finds it busy.
    enter(first);
    try {
      const outcome = await whileAlone(`draft_${authorId}`, () =>
        Promise.race([run(signal), cancellation(signal)]),
      );
      if (!signal.aborted) enter({ name: 'idle' });
      return outcome ?? { kind: 'failed', reason: 'elsewhere', error: undefined };
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' };
      const reason = failureReason(error);
      enter({ name: reason === 'session-ended' ? 'session-ended' : 'idle' });
      return { kind: 'failed', reason, error };
    }
  }

  return {
    getPhase: () => phase,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish: (request) =>
      alone({ authorId: request.authorId, first: { name: 'uploading', fraction: 0 } }, (signal) =>
        publish(request, signal),
      ),
    translate: ({ authorId, texts, achieved }) =>
      alone({ authorId, first: { name: 'translating', parts: [], publishes: false } }, async (signal) => ({
        kind: 'translated' as const,
        missing: missingOf(await translateAll(texts, { achieved, signal, publishes: false })),
      })),
    cancel(achieved) {
      // Without a session nothing can be removed, and who signs in again goes on with what is there.
      if (phase.name === 'publishing' || phase.name === 'session-ended') return;
      underWay.abort();
      if (phase.name !== 'idle') enter({ name: 'idle' });
      void abandonImage(achieved, client.storage);
    },
  };
}

interface TranslateAllOptions {
  achieved: AchievedStore;
  signal: AbortSignal;
  publishes: boolean;
}

function missingOf(translations: readonly Translation[]): MissingPart[] {
  return translations.flatMap(({ field, language, fault }) => (fault ? [{ field, language, fault }] : []));
}

function cancellation(signal: AbortSignal): Promise<{ kind: 'cancelled' }> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }), { once: true });
  });
}
