import { Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import { CircleAlert, CircleCheck, Info, LoaderCircle, TriangleAlert, X } from 'lucide-react';
import { Suspense, useRef, useSyncExternalStore } from 'react';
import { buttonClass } from './button-class.ts';
import { type NoticeTone, noticeLists, type ShownNotice } from './toasts.tsx';

/** The milliseconds that a notice stays, the pixels of a swipe that closes it, and the rest: docs/spec/product.md section 9. */
const AREAS = {
  'top-center': { duration: 5_000, swipeThreshold: 50, swipeDirection: 'up', className: 'mx-auto max-w-md' },
  'top-right': {
    duration: 4_000,
    swipeThreshold: 45,
    swipeDirection: 'right',
    className: 'mr-4 ml-auto max-w-[356px]',
  },
} as const;

const TONES: Record<NoticeTone, { icon?: typeof Info; className: string }> = {
  default: { className: 'border-hairline border-l-ink bg-raised text-ink' },
  success: { icon: CircleCheck, className: 'border-hairline border-l-success bg-raised text-ink' },
  info: { icon: Info, className: 'border-hairline border-l-ink bg-raised text-ink' },
  warning: { icon: TriangleAlert, className: 'border-hairline border-l-ink bg-raised text-ink' },
  error: { icon: CircleAlert, className: 'border-accent bg-error text-accent' },
  loading: { icon: LoaderCircle, className: 'border-hairline border-l-ink bg-raised text-ink' },
};

const NONE: never[] = [];

interface NoticeAreaProps {
  place: keyof typeof AREAS;
  /** The keys that lead to the area, and its name with them. */
  hotkey: string[];
  name: string;
  /** What the announcement of each notice begins with. */
  label: string;
  closeLabel: string;
}

/** Shows the notices of an area, the newest at the top. */
export function NoticeArea({ place, hotkey, name, label, closeLabel }: NoticeAreaProps) {
  const { subscribe, getNotices, close } = noticeLists[place];
  const notices = useSyncExternalStore(subscribe, getNotices, () => NONE);
  const { className, ...behaviour } = AREAS[place];
  return (
    <Provider {...behaviour} label={label}>
      {notices.map((notice) => (
        // Texts that are not loaded yet are shown, and announced, once they are.
        <Suspense key={notice.key}>
          <NoticeItem notice={notice} closeLabel={closeLabel} onClose={() => close(notice.key)} />
        </Suspense>
      ))}
      <Viewport
        hotkey={hotkey}
        label={name}
        className={`flex w-[calc(100%-2rem)] flex-col-reverse gap-[14px] outline-none not-empty:my-2 ${className}`}
      />
    </Provider>
  );
}

interface NoticeItemProps {
  notice: ShownNotice;
  closeLabel: string;
  onClose(): void;
}

function NoticeItem({ notice, closeLabel, onClose }: NoticeItemProps) {
  const { open, title, description, tone = 'default', duration, action } = notice;
  const { icon: Icon, className } = TONES[tone];
  const item = useRef<HTMLLIElement>(null);
  const isKeyOfPage = useRef(false);
  return (
    <Root
      ref={item}
      open={open}
      onOpenChange={() => {
        if (!isKeyOfPage.current) onClose();
        isKeyOfPage.current = false;
      }}
      // Escape closes a dialog or a menu of the page, and only where the focus is in a notice that notice.
      onEscapeKeyDown={({ target }) => {
        isKeyOfPage.current = !item.current?.contains(target as Node);
      }}
      type={tone === 'error' ? 'foreground' : 'background'}
      {...(duration !== undefined && { duration })}
      data-tone={tone}
      className={`notice flex items-start gap-3 rounded-xs border border-l-4 py-3.5 pr-2 pl-4 shadow-lg ${className}`}
    >
      {Icon && (
        <Icon
          aria-hidden="true"
          className={`mt-1 size-4 shrink-0 ${tone === 'loading' ? 'motion-safe:animate-spin' : ''}`}
        />
      )}
      <div className="grid min-w-0 flex-1 justify-items-start gap-0.5">
        <Title className="text-[0.9375rem] font-medium">{title}</Title>
        {description && (
          <Description
            // The progress that follows is announced too.
            role={tone === 'loading' ? 'status' : undefined}
            className={`text-sm [overflow-wrap:anywhere] empty:hidden ${tone === 'error' ? 'text-ink' : 'text-muted'}`}
          >
            {description}
          </Description>
        )}
        {action && (
          <Close onClick={action.onClick} className={`mt-1.5 ${buttonClass({ size: 'small' })}`}>
            {action.label}
          </Close>
        )}
      </div>
      <Close
        aria-label={closeLabel}
        className="-my-1 grid size-(--target) shrink-0 place-items-center rounded-xs text-muted hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Close>
    </Root>
  );
}
