import { Menu, UserRound, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Link, NavLink, useLocation, useNavigation } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSite } from '../../site/use-site.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { LanguageMenu } from './language-menu.tsx';
import { Logo } from './logo.tsx';
import { SessionButton } from './session-button.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const NAV_LINK =
  'flex min-h-11 items-center border-transparent font-medium text-muted transition-colors hover:text-ink aria-[current=page]:text-ink max-lg:-ml-4 max-lg:border-l-2 max-lg:pl-4 max-lg:aria-[current=page]:border-accent lg:text-[0.9375rem] lg:underline-offset-[0.5rem] lg:decoration-accent lg:decoration-[1.5px] lg:aria-[current=page]:underline';

/** The header of every page (docs/spec/product.md section 2). Below 1024 px its links fold into a menu. */
export function SiteHeader() {
  const { m } = useLanguage();
  const { status } = useAuth();
  const { name } = useSite();
  const menuId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const { open, setOpen } = useMenu();

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    toggle.current?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu from any focused element of the header.
    <header className="border-b border-hairline" onKeyDown={closeOnEscape}>
      <div className="page-width flex flex-wrap items-center lg:gap-x-6">
        <Link
          to="/"
          aria-label={m.layout.home(name)}
          className="mr-auto flex min-h-18 items-center hover:text-accent lg:mr-6"
        >
          <Logo />
        </Link>
        <button
          ref={toggle}
          type="button"
          aria-expanded={open}
          aria-controls={menuId}
          aria-label={open ? m.layout.closeMenu : m.layout.openMenu}
          onClick={() => setOpen(!open)}
          className="order-2 -mr-2.5 grid size-11 place-items-center rounded-xs lg:hidden unscripted:hidden"
        >
          {open ? (
            <X aria-hidden="true" className="size-5" />
          ) : (
            <Menu aria-hidden="true" className="size-5" />
          )}
        </button>
        <div
          id={menuId}
          className={`order-3 w-full flex-col gap-4 border-t border-hairline py-4 lg:order-1 lg:flex lg:w-auto lg:flex-1 lg:flex-row lg:items-center lg:justify-between lg:border-0 lg:py-0 unscripted:flex ${open ? 'flex' : 'hidden'}`}
        >
          <nav aria-label={m.layout.navigation}>
            <ul className="flex flex-col lg:flex-row lg:gap-7">
              <li>
                <NavLink to="/gallery" className={NAV_LINK}>
                  {m.layout.gallery}
                </NavLink>
              </li>
              <li>
                <NavLink to="/about-me" className={NAV_LINK}>
                  {m.layout.about}
                </NavLink>
              </li>
              <li>
                <NavLink to="/contact" className={NAV_LINK}>
                  {m.layout.contact}
                </NavLink>
              </li>
            </ul>
          </nav>
          <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
            {status === 'authenticated' && (
              <>
                <Link to="/admin" className={buttonClass({ size: 'small' })}>
                  {m.layout.createPost}
                </Link>
                <NavLink
                  to="/account"
                  className={`${buttonClass({ variant: 'quiet', size: 'small' })} decoration-accent decoration-[1.5px] underline-offset-[0.5rem] aria-[current=page]:underline`}
                >
                  <UserRound aria-hidden="true" className="size-4 shrink-0" />
                  {m.layout.account}
                </NavLink>
              </>
            )}
            <SessionButton />
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

/** Tells whether the menu is open. It closes as soon as another page is chosen. */
function useMenu(): { open: boolean; setOpen(open: boolean): void } {
  const { key } = useLocation();
  const leaving = useNavigation().state !== 'idle';
  const [openAt, setOpenAt] = useState<string | null>(null);
  return { open: openAt === key && !leaving, setOpen: (open) => setOpenAt(open ? key : null) };
}
