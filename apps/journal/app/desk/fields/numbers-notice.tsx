import type { Finding } from '@fabrica/dose-guard';
import { useEffect, useState } from 'react';
import type { Language } from '../../../project/languages.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { describeFinding } from '../translations/segments/describe-finding.ts';
import { useDeskMessages } from '../use-desk.ts';

/** Milliseconds after the last key before two texts are compared. */
const PAUSE_MS = 500;

interface NumbersNoticeProps {
  /** The text in the language of the post's original. */
  own: { text: string; language: Language } | undefined;
  typed: { text: string; language: Language };
}

/** Says where a text that an author has typed says other numbers than the one in the language of the original. */
export function NumbersNotice({ own, typed }: NumbersNoticeProps) {
  const texts = useDeskMessages().translations;
  const { language: shown } = useLanguage();
  const [finding, setFinding] = useState<Finding>();
  const isCompared = own && own.language !== typed.language && own.text.trim() && typed.text.trim();
  const pair = isCompared ? JSON.stringify([own, typed]) : undefined;
  useEffect(() => {
    setFinding(undefined);
    if (!pair) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const { compareSegments } = await import('@fabrica/dose-guard');
      const [source, target] = JSON.parse(pair) as [NumbersNoticeProps['typed'], NumbersNoticeProps['typed']];
      const found = compareSegments(source, target).find(({ severity }) => severity === 'block');
      if (isCurrent) setFinding(found);
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [pair]);
  return (
    <p role="status" className="-mt-3 text-sm text-accent empty:hidden">
      {finding &&
        own &&
        texts.panel.numbers(languageName(own.language, shown), describeFinding(finding, texts))}
    </p>
  );
}
