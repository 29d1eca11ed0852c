import type { MouseEvent } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { LANGUAGES, type Language } from '../../language/languages.ts';
import { notify } from '../../ui/notify.ts';
import type { PostPage } from '../load-post.ts';

/** Tells that a text is not in the language of the page, and links to the languages in which it exists. */
export function LanguageNote({ post: { textLanguage, languages } }: { post: PostPage }) {
  const { m, language, setLanguage } = useLanguage();
  if (textLanguage === null || textLanguage === language) return null;
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const nameOf = (code: Language) => names.of(code) ?? code;
  const choose = (event: MouseEvent, code: Language) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setLanguage(code).catch(() =>
      notify({ title: m.layout.languageFailed, description: m.layout.checkConnection, tone: 'destructive' }),
    );
  };
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-5 border-y border-hairline py-1.5 text-[0.9375rem] print:hidden">
      <p className="py-1.5 text-muted">{m.post.notInLanguage(nameOf(language), nameOf(textLanguage))}</p>
      <ul aria-label={m.post.otherLanguages} className="flex flex-wrap gap-x-4">
        {LANGUAGES.filter(({ code }) => code !== language && languages.includes(code)).map(
          ({ code, name }) => (
            <li key={code}>
              <a
                href={`?lang=${code}`}
                lang={code}
                hrefLang={code}
                onClick={(event) => choose(event, code)}
                className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong"
              >
                {name}
              </a>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
