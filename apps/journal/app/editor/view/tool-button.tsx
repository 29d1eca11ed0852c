import type { ReactNode } from 'react';
import { shortcutOf } from './shortcuts.ts';

interface ToolButtonProps {
  label: string;
  shortcut?: string;
  pressed?: boolean;
  disabled?: boolean;
  onPress(): void;
  children: ReactNode;
}

export function ToolButton({
  label,
  shortcut,
  pressed,
  disabled = false,
  onPress,
  children,
}: ToolButtonProps) {
  const keys = shortcut && shortcutOf(shortcut);
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      title={keys ? `${label} (${keys})` : label}
      // The selection of the text stays.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => !disabled && onPress()}
      className="inline-flex min-h-(--target) min-w-(--target) shrink-0 items-center justify-center rounded-xs border border-transparent px-2 text-sm hover:border-field aria-disabled:opacity-45 aria-pressed:border-field aria-pressed:bg-hairline aria-pressed:text-accent"
    >
      {children}
    </button>
  );
}
