import { LANGUAGES, type Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ShownPost } from '../present-post.ts';
import { LanguageLink } from './language-link.tsx';

/** Tells that a text is not in the language of the page, and links to the languages in which it exists. */
export function LanguageNote({ post: { textLanguage, languages } }: { post: ShownPost }) {
  const { m, language } = useLanguage();
  if (textLanguage === null || textLanguage === language) return null;
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const nameOf = (code: Language) => names.of(code) ?? code;
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-5 border-y border-hairline py-1.5 text-[0.9375rem] print:hidden">
      <p className="py-1.5 text-muted">{m.post.notInLanguage(nameOf(language), nameOf(textLanguage))}</p>
      <ul aria-label={m.post.otherLanguages} className="flex flex-wrap gap-x-4">
        {LANGUAGES.filter(({ code }) => code !== language && languages.includes(code)).map(
          ({ code, name }) => (
            <li key={code}>
              <LanguageLink code={code} lang={code}>
                {name}
              </LanguageLink>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
