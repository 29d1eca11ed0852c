import { Link as LinkIcon, Mail, Share, Share2 } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { moveFocus } from '../../ui/move-focus.ts';
import { toast } from '../../ui/toasts.tsx';
import icons from './share-icons.svg?url';
import { buildMailLink, buildShareTargets, popupFeatures } from './share-links.ts';
import { useSharedUrl } from './use-shared-url.ts';

/**
 * Renders the menu with six services, a mail and the link itself (docs/spec/product.md sections 2 and 7). The link stands first;
 * on a phone, its own sheet of apps does. The browser opens and closes the menu, and its links work without a script.
 */
export function ShareMenu({ title, path, className }: { title: string; path: string; className: string }) {
  const { m } = useLanguage();
  const { native, email, copyLink, mailBody } = m.post.share;
  const url = useSharedUrl(path);
  const ids = { button: useId(), menu: useId() };
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<boolean>();
  const [hasSheet, setHasSheet] = useState(false);
  useEffect(() => setHasSheet('share' in navigator && matchMedia('(pointer: coarse)').matches), []);
  const close = () => menu.current?.hidePopover();

  const share = (event: MouseEvent<HTMLAnchorElement>) => {
    close();
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openPopup(event.currentTarget.href);
  };
  const copy = () => {
    close();
    copyText(url).then(
      () => toast.success(noticeText(({ m }) => m.post.share.copied)),
      () =>
        toast.error(
          noticeText(({ m }) => m.post.share.copyFailed),
          { description: url },
        ),
    );
  };

  const openSheet = () => {
    close();
    navigator.share({ title, url }).catch((error: unknown) => {
      // The reader has closed the sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) copy();
    });
  };

  const targets = buildShareTargets({ url, title });
  const mail = buildMailLink({ subject: title, body: mailBody(title, url) });
  return (
    <>
      <button
        type="button"
        id={ids.button}
        popoverTarget={ids.menu}
        aria-haspopup="menu"
        aria-expanded={open}
        className={`[anchor-name:--share] ${className}`}
      >
        <Share2 aria-hidden="true" className="size-[1.15em] shrink-0" />
        {m.post.share.open}
      </button>
      <div
        ref={menu}
        id={ids.menu}
        popover="auto"
        role="menu"
        aria-labelledby={ids.button}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') itemsOf(menu.current)[0]?.focus({ preventScroll: true });
        }}
        onKeyDown={moveInMenu}
        className="anchored-menu min-w-52 rounded-xs p-1.5 [position-anchor:--share]"
      >
        {hasSheet && (
          <button type="button" role="menuitem" onClick={openSheet} className={ITEM_CLASS}>
            <ItemIcon>
              <Share className="size-4" />
            </ItemIcon>
            {native}
          </button>
        )}
        <button type="button" role="menuitem" onClick={copy} className={`${ITEM_CLASS} unscripted:hidden`}>
          <ItemIcon>
            <LinkIcon className="size-4" />
          </ItemIcon>
          {copyLink}
        </button>
        <hr className="mx-3 my-1.5 border-hairline unscripted:hidden" />
        {targets.map(({ id, name, url: target }, order) => (
          <a
            key={id}
            role="menuitem"
            href={target}
            target="_blank"
            rel="noopener noreferrer"
            onClick={share}
            className={ITEM_CLASS}
          >
            <ItemIcon>
              <span className="size-4.5 bg-current forced-color-adjust-none" style={iconMask(order)} />
            </ItemIcon>
            {name}
          </a>
        ))}
        <a role="menuitem" href={mail} onClick={close} className={ITEM_CLASS}>
          <ItemIcon>
            <Mail className="size-4" />
          </ItemIcon>
          {email}
        </a>
        {/* Without a script the reader copies the link by hand. */}
        <input
          readOnly
          value={url}
          aria-label={copyLink}
          className="hidden min-h-11 w-full rounded-xs border border-field bg-raised px-3 text-sm unscripted:block"
        />
      </div>
    </>
  );
}

const ITEM_CLASS =
  'flex min-h-(--target) w-full items-center gap-3 rounded-xs px-3 text-[0.9375rem] text-ink select-none hover:bg-hairline focus-visible:bg-hairline focus-visible:-outline-offset-2';

function ItemIcon({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden="true" className="grid w-5 place-items-center text-muted">
      {children}
    </span>
  );
}

/**
 * Returns the style that shows a service's icon. The icons are one below the other in a file of their own, in the order of
 * the menu; the browser loads it when the menu is first opened.
 */
function iconMask(order: number): CSSProperties {
  return { mask: `url(${icons}) 0 ${order * 20}% / 100% 600% no-repeat` };
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** Moves the focus through the items by the arrow keys, Home and End. Tab closes the menu, as Escape does. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  else moveFocus(event, itemsOf(event.currentTarget));
}

function openPopup(url: string): void {
  const { screenX, screenY, outerWidth, outerHeight } = window;
  const opener = { left: screenX, top: screenY, width: outerWidth, height: outerHeight };
  window.open(url, '_blank', popupFeatures(opener));
}
