import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import type { CheckpointStore } from '../draft/checkpoint.ts';
import type { PostPublisher } from '../publishing/post-publisher.ts';
import { languageNames } from '../translation/describe-translations.ts';
import type { SourceTexts } from '../translation/translation-parts.ts';
import { dismissFailure, showUnfinished } from './publish-notices.tsx';

export interface UseTranslateAheadOptions {
  publisher: PostPublisher;
  store: CheckpointStore;
}

export interface TranslateAhead {
  /** `format` is `markdown` for a content that is more than plain. */
  translate(texts: SourceTexts, format: string): Promise<void>;
  /** A sentence about the last result; empty before the first. */
  result: string;
}

/** Translates without publishing; the translations are stored with the draft. */
export function useTranslateAhead({ publisher, store }: UseTranslateAheadOptions): TranslateAhead {
  const reader = useLanguage();
  const [result, setResult] = useState('');
  const texts = reader.m.publish.translations;
  return {
    result,
    async translate(sources, format) {
      setResult('');
      dismissFailure();
      const outcome = await publisher.translate({ texts: sources, format, checkpoint: store });
      if (!outcome) return;
      if (outcome.kind !== 'translated') return showUnfinished(outcome);
      const { missing } = outcome;
      setResult(missing.length ? texts.notTranslated(languageNames(missing, reader)) : texts.allDone);
    },
  };
}
