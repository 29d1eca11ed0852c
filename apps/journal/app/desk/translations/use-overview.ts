import { useEffect, useEffectEvent, useRef } from 'react';
import type { PostTranslations } from '../../../project/translations.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { useTranslations } from './use-translations.ts';

export interface TranslationsOverview {
  status: 'loading' | 'ready' | 'failed';
  data: PostTranslations | undefined;
  reload(): void;
  /** Loads it again and keeps what is shown until then. */
  refresh(): Promise<void>;
}

/** Loads how far the translations of a post are, and again whenever another version of its original is saved. */
export function useOverview(postId: string, version: number): TranslationsOverview {
  const client = useTranslations();
  const loaded = useLoadedData(postId, () => client.overview(postId));
  const refresh = async () => {
    try {
      const fresh = await client.overview(postId);
      loaded.update(() => fresh);
    } catch {
      // What is shown stays until the next save.
    }
  };
  const seen = useRef(version);
  const follow = useEffectEvent(() => void refresh());
  useEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    follow();
  }, [version]);
  return { status: loaded.status, data: loaded.data, reload: loaded.reload, refresh };
}
