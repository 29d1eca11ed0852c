import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import type { AchievedStore } from '../draft/checkpoint.ts';
import type { Publisher } from '../publishing/publisher.ts';
import { languageNames } from '../translation/describe-translations.ts';
import type { SourceTexts } from '../translation/translation-parts.ts';
import { noticeUnfinished, withdrawFailure } from './publish-notices.tsx';

export interface UseTranslateAheadOptions {
  authorId: string;
  publisher: Publisher;
  store: AchievedStore;
}

export interface TranslateAhead {
  translate(texts: SourceTexts): Promise<void>;
  /** How the last try ended, in a sentence; empty before. */
  result: string;
}

/** Translates without publishing: what comes is kept with the draft. */
export function useTranslateAhead({ authorId, publisher, store }: UseTranslateAheadOptions): TranslateAhead {
  const { m, language } = useLanguage();
  const [result, setResult] = useState('');
  const texts = m.publish.translations;
  return {
    result,
    async translate(sources) {
      setResult('');
      withdrawFailure();
      const outcome = await publisher.translate({ authorId, texts: sources, achieved: store });
      if (!outcome) return;
      if (outcome.kind !== 'translated') return noticeUnfinished(outcome, m);
      const { missing } = outcome;
      setResult(
        missing.length ? texts.notTranslated(languageNames(missing, { m, language })) : texts.allDone,
      );
    },
  };
}
