import type { MouseEvent } from 'react';
import type { Language } from '../../project/languages.ts';
import { notify } from '../ui/toasts.tsx';
import { useLanguage } from './language-provider.tsx';
import { noticeText } from './notice-text.tsx';

/**
 * Returns a function that handles a press of a link to the page in another language, without loading the document anew: as the
 * reader's choice, or for this page alone.
 */
export function useLanguageLink(way: 'setLanguage' | 'visitLanguage') {
  const show = useLanguage()[way];
  return (event: MouseEvent, code: Language) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    show(code).catch(() =>
      notify({
        title: noticeText(({ m }) => m.layout.languageFailed),
        description: noticeText(({ m }) => m.layout.checkConnection),
        tone: 'error',
      }),
    );
  };
}
