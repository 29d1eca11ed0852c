import { type CSSProperties, useEffect } from 'react';
import { Toaster, toast } from 'sonner';
import { waitingToasts } from './toasts.tsx';

const STYLE = {
  '--width': '356px',
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--hairline)',
  '--error-bg': 'var(--error)',
  '--error-text': 'var(--accent)',
  '--error-border': 'var(--accent)',
  '--border-radius': '2px',
  fontFamily: 'var(--font-sans)',
} as CSSProperties;

/** The areas stand below the header in the page (layout/notices.css) and have their own margin. */
const IN_THE_PAGE = { top: 0, right: 0, left: 0 };

/**
 * The buttons are large enough for a thumb; the library's own are 20 and 24 px high. Errors have the colours that they
 * have in forms.
 */
const CLASS_NAMES = {
  toast: 'notice',
  closeButton: 'size-6!',
  actionButton: 'h-8! px-3!',
  error: 'border-l-4! bg-(--error-bg)! border-(--error-border)! text-(--error-text)!',
};

/**
 * Shows the second notification area, at the top on the right (docs/spec/product.md section 9). A swipe of 45 px, the
 * library's own threshold, closes a notice.
 */
export function ToastArea({
  label,
  closeLabel,
  theme,
}: {
  label: string;
  closeLabel: string;
  theme: 'light' | 'dark';
}) {
  useEffect(() => waitingToasts.release(toast), []);
  return (
    <Toaster
      position="top-right"
      duration={4_000}
      visibleToasts={3}
      gap={14}
      mobileOffset={IN_THE_PAGE}
      theme={theme}
      closeButton
      containerAriaLabel={label}
      toastOptions={{ closeButtonAriaLabel: closeLabel, classNames: CLASS_NAMES }}
      style={STYLE}
    />
  );
}
