import { Menu, UserRound, X } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigation } from 'react-router';
import { useClient, usePageAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { usePrefetch } from '../../offline/use-prefetch.ts';
import { useSite } from '../../site/site.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { useNamedLocation } from '../use-named-location.ts';
import { LanguageMenu } from './language-menu.tsx';
import { Logo } from './logo.tsx';
import { SessionButton } from './session-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { useHiddenHeader } from './use-hidden-header.ts';

const NAV_LINK =
  'flex min-h-11 items-center border-transparent font-medium text-muted transition-colors hover:text-ink aria-[current=page]:text-ink max-lg:-ml-4 max-lg:border-l-2 max-lg:pl-4 max-lg:aria-[current=page]:border-accent forced-colors:not-aria-[current=page]:border-[Canvas] lg:text-[0.9375rem] lg:underline-offset-[0.5rem] lg:decoration-accent lg:decoration-[1.5px] lg:aria-[current=page]:underline';

const SECTIONS = [
  { to: '/gallery', label: 'gallery' },
  { to: '/about-me', label: 'about' },
  { to: '/contact', label: 'contact' },
] as const;

/**
 * The header of every page (docs/spec/product.md section 2). Below 1024 px its links fold into a popover, which the
 * browser opens and closes without a script; the script names its button and closes it when another page is chosen.
 */
export function SiteHeader() {
  const { m } = useLanguage();
  const { status } = usePageAuth();
  const site = useSite();
  const { pathname } = useNamedLocation();
  const { auth } = useClient();
  const menuId = useId();
  const prefetch = usePrefetch();
  const menu = useRef<HTMLDivElement>(null);
  const open = useFoldedMenu(menu);
  const header = useRef<HTMLElement>(null);
  useHiddenHeader(header);

  return (
    <header
      ref={header}
      className="group sticky top-0 z-30 border-b border-hairline bg-paper transition-transform duration-200 data-away:-translate-y-full focus-within:translate-y-0! has-[details[open]]:translate-y-0! has-[:popover-open]:translate-y-0! motion-reduce:transition-none data-tall:static print:static"
    >
      <div className="page-width flex flex-wrap items-center lg:gap-x-6">
        <Link
          to="/"
          aria-label={m.layout.home(site.name)}
          className="mr-auto flex min-h-18 items-center hover:text-accent lg:mr-6"
        >
          <Logo />
        </Link>
        <button
          type="button"
          popoverTarget={menuId}
          aria-expanded={open}
          aria-label={open ? m.layout.closeMenu : m.layout.openMenu}
          className="order-2 -mr-2.5 grid size-11 place-items-center rounded-xs lg:hidden"
        >
          <Menu aria-hidden="true" className="size-5 group-has-[:popover-open]:hidden" />
          <X aria-hidden="true" className="hidden size-5 group-has-[:popover-open]:block" />
        </button>
        <div
          ref={menu}
          id={menuId}
          popover="auto"
          className="folded-menu order-3 flex-col gap-4 open:flex lg:order-1 lg:flex lg:flex-1 lg:flex-row lg:items-center lg:justify-between"
        >
          <nav aria-label={m.layout.navigation}>
            <ul className="flex flex-col lg:flex-row lg:gap-7">
              {SECTIONS.map(({ to, label }) => (
                <li key={to}>
                  <NavLink to={to} prefetch={prefetch} className={NAV_LINK}>
                    {m.layout[label]}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
            {status === 'authenticated' && (
              <>
                {auth.can('posts.create') && (
                  <Link to="/admin" className={buttonClass({ size: 'small' })}>
                    {m.layout.createPost}
                  </Link>
                )}
                <NavLink
                  to="/account"
                  className={`${buttonClass({ variant: 'quiet', size: 'small' })} decoration-accent decoration-[1.5px] underline-offset-[0.5rem] aria-[current=page]:underline`}
                >
                  <UserRound aria-hidden="true" className="size-4 shrink-0" />
                  {m.layout.account}
                </NavLink>
              </>
            )}
            <SessionButton returnTo={pathname} />
          </div>
        </div>
        <div className="order-1 flex items-center lg:order-2 lg:-mr-3">
          <LanguageMenu />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  );
}

const WIDE = '(min-width: 64rem)';

/**
 * Tells whether the menu is open; `undefined` until the script runs. The menu closes as soon as another page is chosen,
 * and where the window becomes so wide that the links stand in the header.
 */
function useFoldedMenu(menu: RefObject<HTMLDivElement | null>): boolean | undefined {
  const { key } = useLocation();
  const leaving = useNavigation().state !== 'idle';
  const [open, setOpen] = useState<boolean>();
  const shown = useRef(key);
  useEffect(() => {
    const element = menu.current;
    if (!element) return;
    const update = () => setOpen(element.matches(':popover-open'));
    const close = () => element.hidePopover();
    const wide = matchMedia(WIDE);
    update();
    element.addEventListener('toggle', update);
    wide.addEventListener('change', close);
    return () => {
      element.removeEventListener('toggle', update);
      wide.removeEventListener('change', close);
    };
  }, [menu]);
  useEffect(() => {
    if (leaving || shown.current !== key) menu.current?.hidePopover();
    shown.current = key;
  }, [menu, leaving, key]);
  return open;
}
