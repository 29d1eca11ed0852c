import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';

interface ScrollingRowProps {
  /** The colour that the row lies on. */
  ground?: 'raised' | 'paper';
  className?: string;
  children: ReactNode;
}

const SIDES = {
  before: { direction: -1, Icon: ChevronLeft, look: 'start-0 justify-start bg-linear-to-r' },
  after: { direction: 1, Icon: ChevronRight, look: 'end-0 justify-end bg-linear-to-l' },
} as const;

/**
 * Holds a row of controls that scrolls sideways where it is wider than its place. On a side where there is more, it fades below
 * an arrow, which is for pointers: the keyboard moves the focus among the controls, and the row with it.
 */
export function ScrollingRow({ ground = 'raised', className = '', children }: ScrollingRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const hidden = useHidden(row, content);
  const from = ground === 'raised' ? 'from-raised' : 'from-paper';
  const arrowOn = (side: keyof typeof SIDES) => {
    const { direction, Icon, look } = SIDES[side];
    return (
      <button
        key={side}
        type="button"
        aria-hidden="true"
        tabIndex={-1}
        onMouseDown={keepFocus}
        onClick={() => row.current?.scrollBy({ left: direction * 0.7 * row.current.clientWidth })}
        className={`absolute inset-y-0 z-10 flex w-(--target) items-center text-muted to-transparent from-55% ${from} ${look}`}
      >
        <Icon className="size-5" />
      </button>
    );
  };
  return (
    <div className="relative">
      <div
        ref={row}
        className="relative overflow-x-auto scroll-smooth scroll-px-11 [scrollbar-width:none] motion-reduce:scroll-auto"
      >
        <div ref={content} className={`min-w-full ${className}`}>
          {children}
        </div>
      </div>
      {hidden.before && arrowOn('before')}
      {hidden.after && arrowOn('after')}
    </div>
  );
}

function keepFocus(event: { preventDefault(): void }): void {
  event.preventDefault();
}

/** Returns on which sides of a row something is hidden. */
function useHidden(row: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const [hidden, setHidden] = useState({ before: false, after: false });
  useEffect(() => {
    const element = row.current;
    if (!element || !content.current) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const [before, after] = [scrollLeft > 1, scrollLeft + clientWidth < scrollWidth - 1];
      setHidden((known) => (known.before === before && known.after === after ? known : { before, after }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(content.current);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [row, content]);
  return hidden;
}
