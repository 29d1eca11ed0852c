import { Moon, Sun } from 'lucide-react';
import { useLanguage } from '../../language/language-provider.tsx';
import { toggleTheme, useTheme } from '../theme.ts';

/** Switches between light and dark. Both icons are on the page, and the style sheet shows one of them. */
export function ThemeSwitch() {
  const { m } = useLanguage();
  const theme = useTheme();
  return (
    <button
      type="button"
      onClick={toggleTheme}
      aria-pressed={theme === 'dark'}
      aria-label={m.layout.darkTheme}
      title={m.layout.darkTheme}
      className="grid size-11 place-items-center rounded-xs text-muted transition-colors hover:text-ink unscripted:hidden"
    >
      <Moon aria-hidden="true" className="size-[1.125rem] dark:hidden" />
      <Sun aria-hidden="true" className="hidden size-[1.125rem] dark:block" />
    </button>
  );
}
