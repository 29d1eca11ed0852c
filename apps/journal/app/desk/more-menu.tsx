import { Ellipsis } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { useDeskMessages } from './use-desk.ts';

/** The class of what stands in a menu beside its `MoreMenuItem`s, such as a link. */
export const MENU_ITEM =
  'flex min-h-11 w-full items-center gap-3 px-4 text-left text-[0.9375rem] transition-colors hover:text-accent disabled:opacity-45';

interface MoreMenuProps extends Pick<ButtonProps, 'busy' | 'size'> {
  /** The class of the menu. */
  className: string;
  children: ReactNode;
}

/** Renders a button with three dots, and the menu of what is rare, which the browser opens below it and closes. */
export function MoreMenu({ className, children, ...button }: MoreMenuProps) {
  const { more } = useDeskMessages().editor;
  const id = useId();
  const anchor = `--more${id.replace(/\W/g, '')}`;
  return (
    <>
      <Button
        {...button}
        variant="outline"
        aria-label={more}
        title={more}
        popoverTarget={id}
        style={{ anchorName: anchor }}
        className={button.size === 'small' ? 'px-2.5!' : 'px-3!'}
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </Button>
      <div
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className={`anchored-menu py-1.5 ${className}`}
      >
        {children}
      </div>
    </>
  );
}

interface MoreMenuItemProps {
  /** Called once the menu is closed, so that what it opens gives the focus back to the menu's button. */
  onChoose(): void;
  className?: string | undefined;
  children: ReactNode;
}

export function MoreMenuItem({ onChoose, className = '', children }: MoreMenuItemProps) {
  return (
    <button
      type="button"
      className={`${MENU_ITEM} ${className}`}
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onChoose();
      }}
    >
      {children}
    </button>
  );
}
