import type { ReactNode } from 'react';
import type { Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { useLanguageLink } from '../../language/use-language-link.ts';

/** The look of what a note offers to do. */
export const NOTE_ACTION_CLASS =
  'inline-flex min-h-11 items-center text-start font-medium text-accent underline underline-offset-4 hover:text-accent-strong';

interface LanguageLinkProps {
  code: Language;
  /** The language of the words, where it is not the page's. */
  lang?: Language;
  children: ReactNode;
}

/** Shows this page alone in another language, and keeps the reader's own; the reader's place on it stays. */
export function LanguageLink({ code, lang, children }: LanguageLinkProps) {
  const { language } = useLanguage();
  const visit = useLanguageLink('visitLanguage');
  return (
    <a
      href={`?lang=${code}&reader=${language}`}
      lang={lang}
      hrefLang={code}
      rel="nofollow"
      onClick={(event) => visit(event, code)}
      className={NOTE_ACTION_CLASS}
    >
      {children}
    </a>
  );
}
