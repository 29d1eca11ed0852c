import type { FabricaClient } from '@fabrica/client';
import type { Language } from '../../../project/languages.ts';
import type { CheckpointStore } from '../draft/checkpoint.ts';
import type { DraftDetails } from '../draft/draft-details.ts';
import type { Missing, Translation } from '../translation/translate-part.ts';
import { type PartProgress, translateParts } from '../translation/translate-parts.ts';
import {
  type SourceTexts,
  TRANSLATION_PARTS,
  type TranslationPart,
} from '../translation/translation-parts.ts';
import { attempt, draftTask, type Failed } from './attempt.ts';
import { type DraftContent, savePost } from './save-post.ts';
import { discardImage, uploadImage } from './upload-image.ts';

export interface Draft extends SourceTexts {
  image: File;
  contentFormat?: DraftContent['contentFormat'];
  sources?: DraftContent['sources'];
  details?: DraftDetails | undefined;
}

/** Names the step that a publish has reached. `session-ended` is idle as well, but nobody is signed in any more. */
export type PublishPhase =
  | { name: 'idle' }
  /** `fraction` from 0 to 1. */
  | { name: 'uploading'; fraction: number }
  /** All eight parts; `publishes` is false when the author only wants the translations. */
  | { name: 'translating'; parts: readonly PartProgress[]; publishes: boolean }
  | { name: 'publishing' }
  | { name: 'session-ended' };

export type MissingPart = TranslationPart & Missing;

export type PublishOutcome =
  | { kind: 'published'; postId: string; missing: MissingPart[] }
  | Failed
  | { kind: 'cancelled' };

export type TranslateOutcome =
  | { kind: 'translated'; missing: MissingPart[] }
  | Failed
  | { kind: 'cancelled' };

export interface PublishPostRequest {
  draft: Draft;
  checkpoint: CheckpointStore;
}

export interface TranslateDraftRequest {
  texts: SourceTexts;
  /** `markdown` for a content that is more than plain. */
  format?: string | undefined;
  checkpoint: CheckpointStore;
}

/** Publishes one post at a time and reports its phase. */
export interface PostPublisher {
  /** Returns the same object until the phase changes. */
  getPhase(): PublishPhase;
  subscribe(listener: () => void): () => void;
  /** Publishes a draft. Returns `undefined` when the publisher is busy; never throws. */
  publish(request: PublishPostRequest): Promise<PublishOutcome | undefined>;
  /** Translates the texts into the checkpoint, from which a later publish takes them. Returns as `publish` does. */
  translate(request: TranslateDraftRequest): Promise<TranslateOutcome | undefined>;
  /**
   * Stops the current work and removes an image that no post uses. Does nothing once the post itself is being sent,
   * because it may already exist.
   */
  cancel(checkpoint: CheckpointStore): void;
}

export interface PostPublisherOptions {
  client: Pick<FabricaClient, 'projectId' | 'request' | 'storage' | 'ai'>;
  /** The site's own origins. An image's URL is stored without them, so that it survives a change of domain. */
  origins: readonly string[];
}

const publishers = new WeakMap<FabricaClient, PostPublisher>();

/**
 * Returns the one publisher of a client. A publish continues while its author visits other pages, and a form that is
 * opened meanwhile shows it rather than start a second one.
 */
export function postPublisherOf(client: FabricaClient, origins: readonly string[]): PostPublisher {
  const known = publishers.get(client);
  if (known) return known;
  const publisher = createPostPublisher({ client, origins: [window.location.origin, ...origins] });
  publishers.set(client, publisher);
  return publisher;
}

/** Creates a publisher. It uploads, translates and saves, in this order (docs/spec/product.md sections 4 and 7). */
export function createPostPublisher({ client, origins }: PostPublisherOptions): PostPublisher {
  const listeners = new Set<() => void>();
  let phase: PublishPhase = { name: 'idle' };
  let controller = new AbortController();
  const setPhase = (next: PublishPhase) => {
    phase = next;
    for (const listener of listeners) listener();
  };

  const translateAll = (
    texts: SourceTexts,
    { format, from, checkpoint, signal, publishes }: TranslateAllOptions,
  ) =>
    translateParts(texts, {
      parts: TRANSLATION_PARTS,
      format,
      from,
      ai: client.ai,
      checkpoint,
      signal,
      onProgress: (parts) => signal.aborted || setPhase({ name: 'translating', parts, publishes }),
    });

  async function publish(
    { draft, checkpoint }: PublishPostRequest,
    signal: AbortSignal,
  ): Promise<PublishOutcome> {
    const image = await uploadImage(draft.image, {
      storage: client.storage,
      origins,
      checkpoint,
      signal,
      onProgress: (fraction) => signal.aborted || setPhase({ name: 'uploading', fraction }),
    });
    const { title, content, contentFormat, sources, details } = draft;
    const translations = await translateAll(draft, {
      format: contentFormat,
      from: details?.language ?? undefined,
      checkpoint,
      signal,
      publishes: true,
    });
    signal.throwIfAborted();
    setPhase({ name: 'publishing' });
    const written = { texts: { title, content }, contentFormat, sources, details };
    const postId = await savePost({ ...written, image, translations, checkpoint, client });
    return { kind: 'published', postId, missing: missingParts(translations) };
  }

  /** Runs one task at a time, in this tab and in others. The clean-up after a cancelled task is not waited for. */
  async function runAlone<Outcome extends { kind: string }>(
    { checkpoint, first }: { checkpoint: CheckpointStore; first: PublishPhase },
    run: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome | Failed | { kind: 'cancelled' } | undefined> {
    if (isPublisherBusy(phase)) return undefined;
    controller = new AbortController();
    const { signal } = controller;
    // Set before anything is awaited, so that a second press finds the publisher busy.
    setPhase(first);
    const outcome = await attempt(draftTask(checkpoint.id), () =>
      Promise.race([run(signal), cancellation(signal)]),
    );
    const failure = 'reason' in outcome ? outcome.reason : undefined;
    if (signal.aborted) return failure ? { kind: 'cancelled' } : outcome;
    setPhase({ name: failure === 'session-ended' ? 'session-ended' : 'idle' });
    return outcome;
  }

  return {
    getPhase: () => phase,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish: (request) =>
      runAlone({ checkpoint: request.checkpoint, first: { name: 'uploading', fraction: 0 } }, (signal) =>
        publish(request, signal),
      ),
    translate: ({ texts, format, checkpoint }) =>
      runAlone(
        { checkpoint, first: { name: 'translating', parts: [], publishes: false } },
        async (signal) => ({
          kind: 'translated' as const,
          missing: missingParts(await translateAll(texts, { format, checkpoint, signal, publishes: false })),
        }),
      ),
    cancel(checkpoint) {
      // Without a session nothing can be removed, and the author continues after signing in again.
      if (phase.name === 'publishing' || phase.name === 'session-ended') return;
      controller.abort();
      if (phase.name !== 'idle') setPhase({ name: 'idle' });
      void discardImage(checkpoint, client.storage);
    },
  };
}

/** Returns whether a publisher in this phase accepts no other work. */
export function isPublisherBusy({ name }: PublishPhase): boolean {
  return name !== 'idle' && name !== 'session-ended';
}

interface TranslateAllOptions {
  format: string | undefined;
  from?: Language | undefined;
  checkpoint: CheckpointStore;
  signal: AbortSignal;
  publishes: boolean;
}

/** Returns the parts whose translation failed. */
export function missingParts(translations: readonly Translation[]): MissingPart[] {
  return translations.flatMap((translation) => {
    if (translation.fault === null) return [];
    const { field, language, fault, contradiction } = translation;
    return [{ field, language, fault, ...(contradiction && { contradiction }) }];
  });
}

function cancellation(signal: AbortSignal): Promise<{ kind: 'cancelled' }> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }), { once: true });
  });
}
