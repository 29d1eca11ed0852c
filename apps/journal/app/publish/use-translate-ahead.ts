import { useState } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import type { AchievedStore } from './achieved.ts';
import { languageNames } from './part-names.ts';
import { noticeUnfinished, withdrawFailure } from './publish-notices.tsx';
import type { Publisher } from './publish-post.ts';
import type { SourceTexts } from './translation-parts.ts';

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
