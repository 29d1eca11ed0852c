import { X } from 'lucide-react';
import { LANGUAGE_CODES } from '../../project/languages.ts';
import { useNamedLocation } from '../layout/use-named-location.ts';
import { useSite } from '../site/site.ts';
import { closeLanguageOffer, OFFER_KEY } from './close-language-offer.ts';
import { useLanguage } from './language-provider.tsx';
import { languageUrl } from './language-url.ts';
import { OWN_LANGUAGE } from './own-language.ts';
import { useLanguageLink } from './use-language-link.ts';

/**
 * The script runs in the head. Pages are the same for all readers and hold the offer in each language; before anything is painted, the
 * script marks the document with the one that the browser prefers, and the style sheet shows that one alone.
 */
export const LANGUAGE_OFFER_SCRIPT = `try{var l=navigator.languages.map(function(t){return t.toLowerCase().split('-')[0]}).find(function(t){return ${JSON.stringify(LANGUAGE_CODES)}.includes(t)});if(l&&l!==document.documentElement.lang&&!/[?&]reader=/.test(location.search)&&!localStorage.getItem('${OFFER_KEY}'))document.documentElement.dataset.offer=l}catch{}`;

/** Offers the page in the language that the visitor's browser prefers, where the page has another one. */
export function LanguageOffer() {
  const { language } = useLanguage();
  const { languages } = useSite();
  const choose = useLanguageLink('setLanguage');
  const location = useNamedLocation();
  const close = () => {
    closeLanguageOffer();
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  };
  return languages
    .filter((code) => code !== language)
    .map((code) => (
      <aside
        key={code}
        lang={code}
        data-offered={code}
        className="language-offer border-b border-hairline bg-raised text-[0.9375rem]"
      >
        <div className="page-width flex items-center justify-between gap-x-2">
          <a
            href={languageUrl(code, location)}
            hrefLang={code}
            onClick={(event) => choose(event, code)}
            className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong"
          >
            {OWN_LANGUAGE[code].offer}
          </a>
          <button
            type="button"
            aria-label={OWN_LANGUAGE[code].close}
            onClick={close}
            className="-mr-3 grid size-11 shrink-0 place-items-center rounded-xs text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </div>
      </aside>
    ));
}
