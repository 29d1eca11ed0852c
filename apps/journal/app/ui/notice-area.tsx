import { Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { type NoticeContent, noticeList } from './notify.ts';

/** Milliseconds that a notice stays (docs/spec/product.md section 9). */
const DURATION_MS = 5_000;
/** Pixels of a swipe that closes a notice (docs/spec/product.md section 9). */
const SWIPE_PX = 50;

const TONES: Record<NonNullable<NoticeContent['tone']>, string> = {
  default: 'border-hairline border-l-ink bg-raised text-ink',
  success: 'border-hairline border-l-success bg-raised text-ink',
  destructive: 'border-accent bg-error text-accent',
};

const NONE: never[] = [];

/** Shows the first notification area, at the top in the middle. */
export function NoticeArea({ label, closeLabel }: { label: string; closeLabel: string }) {
  const notices = useSyncExternalStore(noticeList.subscribe, noticeList.getNotices, () => NONE);
  return (
    <Provider duration={DURATION_MS} swipeDirection="up" swipeThreshold={SWIPE_PX} label={label}>
      {notices.map(({ id, open, title, description, tone = 'default' }) => (
        <Root
          key={id}
          open={open}
          onOpenChange={(next) => next || noticeList.close(id)}
          type={tone === 'destructive' ? 'foreground' : 'background'}
          data-tone={tone}
          className={`notice flex items-start gap-4 rounded-xs border border-l-4 py-3.5 pr-2 pl-4 shadow-lg ${TONES[tone]}`}
        >
          <div className="grid flex-1 gap-0.5">
            <Title className="text-[0.9375rem] font-medium">{title}</Title>
            {description && (
              <Description
                className={`text-sm empty:hidden ${tone === 'destructive' ? 'text-ink' : 'text-muted'}`}
              >
                {description}
              </Description>
            )}
          </div>
          <Close
            aria-label={closeLabel}
            className="-my-1 grid size-9 shrink-0 place-items-center rounded-xs text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </Close>
        </Root>
      ))}
      <Viewport
        label={`${label} ({hotkey})`}
        className="mx-auto grid w-[calc(100%-2rem)] max-w-md gap-2 outline-none not-empty:my-2"
      />
    </Provider>
  );
}
