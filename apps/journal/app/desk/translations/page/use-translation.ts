import { FabricaError } from '@fabrica/client';
import { useEffect, useEffectEvent, useRef } from 'react';
import type {
  LanguageTranslation,
  PostTranslations,
  TranslatedSegment,
} from '../../../../project/translations.ts';
import { useLoadedData } from '../../../ui/use-loaded-data.ts';
import { newerSegments } from '../segment-states.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';

/** All that the page of a translation shows. */
export interface ShownTranslation {
  overview: PostTranslations;
  translation: LanguageTranslation;
}

interface LoadedTranslation {
  status: 'loading' | 'ready' | 'failed';
  data: ShownTranslation | 'missing' | undefined;
  reload(): void;
  /** Loads all of it again, soon, and keeps what is shown until then. */
  refresh(): void;
  setSegment(segment: TranslatedSegment): void;
}

/** Milliseconds after the last change before the page asks for the state of the language again. */
const REFRESH_MS = 400;

/** Loads a post's translation into a language, with the state of the others. */
export function useTranslation(name: TranslationName): LoadedTranslation {
  const client = useTranslations();
  const load = async (): Promise<ShownTranslation> => {
    // In this order, so that the segments are those of a job that the overview calls done.
    const overview = await client.overview(name.postId);
    return { overview, translation: await client.read(name) };
  };
  const loaded = useLoadedData(`${name.postId} ${name.language}`, async () => {
    try {
      return await load();
    } catch (error) {
      if (error instanceof FabricaError && (error.status === 404 || error.status === 403)) return 'missing';
      throw error;
    }
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refreshNow = useEffectEvent(async () => {
    try {
      const fresh = await load();
      loaded.update((shown) => (shown === 'missing' ? shown : withNewer(shown, fresh)));
    } catch {
      // What is shown stays; the next change or step of a job asks again.
    }
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    status: loaded.status,
    data: loaded.data,
    reload: loaded.reload,
    refresh() {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void refreshNow(), REFRESH_MS);
    },
    setSegment: (segment) =>
      loaded.update((shown) => (shown === 'missing' ? shown : withSegment(shown, segment))),
  };
}

function withSegment(shown: ShownTranslation, segment: TranslatedSegment): ShownTranslation {
  const segments = shown.translation.segments.map((one) => (one.id === segment.id ? segment : one));
  return { ...shown, translation: { ...shown.translation, segments } };
}

function withNewer(shown: ShownTranslation, fresh: ShownTranslation): ShownTranslation {
  if (shown.translation.language !== fresh.translation.language) return shown;
  const segments = newerSegments(shown.translation.segments, fresh.translation.segments);
  return { ...fresh, translation: { ...fresh.translation, segments } };
}
