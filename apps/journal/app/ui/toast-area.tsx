import type { CSSProperties } from 'react';
import { Toaster } from 'sonner';

/** The offset leaves the header's controls uncovered where there is room. */
const BELOW_HEADER = { top: '5.25rem' };

const STYLE = {
  '--width': '356px',
  '--normal-bg': 'var(--raised)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--hairline)',
  '--border-radius': '2px',
  fontFamily: 'var(--font-sans)',
} as CSSProperties;

/** These buttons are large enough for a thumb; the library's own are 20 and 24 px high. */
const CLASS_NAMES = { closeButton: 'size-6!', actionButton: 'h-8! px-3!' };

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
  return (
    <Toaster
      position="top-right"
      duration={4_000}
      visibleToasts={3}
      gap={14}
      offset={BELOW_HEADER}
      theme={theme}
      closeButton
      containerAriaLabel={label}
      toastOptions={{ closeButtonAriaLabel: closeLabel, classNames: CLASS_NAMES }}
      style={STYLE}
    />
  );
}
