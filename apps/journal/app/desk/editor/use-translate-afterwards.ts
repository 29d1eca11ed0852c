import { FabricaError } from '@fabrica/client';
import { noticeText } from '../../language/notice-text.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { TranslationsOverview } from '../translations/use-overview.ts';
import { useTranslations } from '../translations/use-translations.ts';
import { openLanguages } from './translations-panel.tsx';

/** Returns a function that has the server translate what a published post lacks. It releases each language by itself. */
export function useTranslateAfterwards(postId: string, overview: TranslationsOverview) {
  const client = useTranslations();
  return async (): Promise<void> => {
    try {
      const languages = openLanguages((await client.overview(postId)).languages);
      if (languages.length > 0) await client.translate(postId, { languages });
    } catch (error) {
      const isSetUp = !(error instanceof FabricaError && error.code === 'AI_NOT_CONFIGURED');
      const fault = isSetUp ? 'unanswered' : 'not-configured';
      toast.warning(
        noticeText(({ m }) => m.publish.missingTranslations.title),
        { description: noticeText(({ m }) => m.publish.translations.faults[fault]) },
      );
    }
    await overview.refresh();
  };
}
