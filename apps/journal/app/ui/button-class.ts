export type ButtonVariant = 'primary' | 'quiet' | 'outline' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-xs border text-center font-medium leading-tight transition-colors duration-150 disabled:opacity-55 print:hidden';

/** The transparent borders are seen where the system chooses the colours. */
const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-ink text-paper enabled:hover:bg-accent-strong enabled:hover:text-on-accent [a&]:hover:bg-accent-strong [a&]:hover:text-on-accent',
  outline: 'border-field text-ink enabled:hover:border-ink [a&]:hover:border-ink',
  quiet: 'border-transparent text-ink enabled:hover:text-accent [a&]:hover:text-accent',
  danger: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-strong',
};

const SIZES: Record<ButtonSize, string> = {
  small: 'min-h-(--target) min-w-(--target) px-3 py-1.5 text-sm',
  medium: 'min-h-11 min-w-11 px-5 py-2 text-[0.9375rem]',
  large: 'min-h-13 px-7 py-3 text-base',
};

/** The classes of a link in a notice, which is gone soon. */
export const NOTICE_LINK_CLASS =
  'font-medium text-ink underline underline-offset-4 touch:inline-flex touch:min-h-(--target) touch:items-center';

/** Returns the classes of a button, for links that should look like one. */
export function buttonClass({
  variant = 'primary',
  size = 'medium',
}: {
  variant?: ButtonVariant;
  size?: ButtonSize;
} = {}): string {
  return `${SHAPE} ${VARIANTS[variant]} ${SIZES[size]}`;
}
