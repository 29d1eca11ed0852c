import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { LANGUAGES, type Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { languageUrl } from '../../language/language-url.ts';
import { useLanguageLink } from '../../language/use-language-link.ts';
import { useSite } from '../../site/site.ts';
import { moveFocus } from '../../ui/move-focus.ts';
import { useNamedLocation } from '../use-named-location.ts';
import { Flag } from './flag.tsx';

/** Offers the languages as links in a disclosure, so that the choice works without JavaScript too. */
export function LanguageMenu() {
  const { language, m } = useLanguage();
  const show = useLanguageLink('setLanguage');
  const { languages } = useSite();
  const location = useNamedLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  useCloseOutside(menu);
  const current = LANGUAGES.find(({ code }) => code === language);

  const choose = (event: MouseEvent, code: Language) => {
    show(event, code);
    if (event.defaultPrevented) closeMenu(menu.current);
  };

  // A site in one language has nothing to choose.
  if (languages.length < 2) return null;
  return (
    <details ref={menu} onKeyDown={moveInMenu} className="group relative">
      <summary
        aria-label={`${m.layout.language}: ${current?.name}, ${language.toUpperCase()}`}
        className="flex min-h-11 items-center gap-2 rounded-xs px-2 text-sm font-medium text-ink select-none hover:text-accent"
      >
        {current && <Flag country={current.flag} />}
        <span aria-hidden="true">{language.toUpperCase()}</span>
        <ChevronDown
          aria-hidden="true"
          className="hidden size-3.5 text-muted min-[22.5rem]:block transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <ul className="absolute top-full right-0 z-30 mt-1 min-w-48 rounded-xs border border-hairline bg-raised py-1.5 shadow-lg">
        {LANGUAGES.filter(({ code }) => languages.includes(code)).map(({ code, name, flag }) => (
          <li key={code}>
            <a
              href={languageUrl(code, location)}
              hrefLang={code}
              aria-current={code === language || undefined}
              onClick={(event) => choose(event, code)}
              className="flex min-h-11 items-center gap-3 px-4 text-sm hover:bg-paper hover:text-accent focus-visible:-outline-offset-2"
            >
              <Flag country={flag} />
              <span lang={code}>{name}</span>
              <span aria-hidden="true" className="ml-auto pl-4 text-xs tracking-wider text-muted">
                {code.toUpperCase()}
              </span>
              <Check aria-hidden="true" className={`size-4 ${code === language ? '' : 'invisible'}`} />
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function closeMenu(menu: HTMLDetailsElement | null): void {
  if (!menu) return;
  menu.open = false;
  // The header stands where it is scrolled to: the browser would bring it to the middle of the window.
  menu.querySelector('summary')?.focus({ preventScroll: true });
}

/** Moves the focus through the languages by the arrow keys, Home and End; Escape closes the menu. */
function moveInMenu(event: KeyboardEvent<HTMLDetailsElement>): void {
  const menu = event.currentTarget;
  if (event.key === 'Escape' && menu.open) {
    event.stopPropagation();
    closeMenu(menu);
    return;
  }
  // The links can be focused in an open menu only.
  if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) menu.open = true;
  moveFocus(event, [...menu.querySelectorAll<HTMLElement>('a')]);
}

function useCloseOutside(menu: { readonly current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = menu;
      if (!current?.open || !(event.target instanceof Node)) return;
      if (!current.contains(event.target)) current.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, [menu]);
}
