import { useLocation } from 'react-router';
import { visitorLanguage } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { OWN_LANGUAGE } from '../../language/own-language.ts';
import { useLanguageLink } from '../../language/use-language-link.ts';
import { NOTE_ACTION_CLASS } from './language-link.tsx';

/** Leads a reader who looks at the page in a language that is not theirs back to theirs. */
export function WayBack() {
  const { language } = useLanguage();
  const back = useLanguageLink('setLanguage');
  const own = visitorLanguage(new URLSearchParams(useLocation().search));
  if (!own || own === language) return null;
  return (
    <p className="mt-6 border-y border-hairline py-1.5 text-[0.9375rem] print:hidden">
      <a
        href={`?lang=${own}`}
        lang={own}
        hrefLang={own}
        onClick={(event) => back(event, own)}
        className={NOTE_ACTION_CLASS}
      >
        {OWN_LANGUAGE[own].back}
      </a>
    </p>
  );
}
