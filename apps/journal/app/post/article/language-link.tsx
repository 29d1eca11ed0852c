import type { MouseEvent, ReactNode } from 'react';
import type { Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { notify } from '../../ui/toasts.tsx';

/** The look of what a note offers to do. */
export const NOTE_ACTION_CLASS =
  'inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong';

interface LanguageLinkProps {
  code: Language;
  /** The language of the words, where it is not the page's. */
  lang?: Language;
  children: ReactNode;
}

/** Shows the page in another language; the reader's place on it stays. */
export function LanguageLink({ code, lang, children }: LanguageLinkProps) {
  const { setLanguage } = useLanguage();
  const choose = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setLanguage(code).catch(() =>
      notify({
        title: noticeText(({ m }) => m.layout.languageFailed),
        description: noticeText(({ m }) => m.layout.checkConnection),
        tone: 'error',
      }),
    );
  };
  return (
    <a href={`?lang=${code}`} lang={lang} hrefLang={code} onClick={choose} className={NOTE_ACTION_CLASS}>
      {children}
    </a>
  );
}
