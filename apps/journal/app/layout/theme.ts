import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';

const KEY = 'fabrica_theme';
const CHANGED = 'fabrica:theme';
const DARK = '(prefers-color-scheme: dark)';

/** The script runs in the head, before anything is painted, so that the other theme never flashes. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem('${KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  const system = matchMedia(DARK);
  system.addEventListener('change', listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    system.removeEventListener('change', listener);
    window.removeEventListener(CHANGED, listener);
  };
}

/** Returns the current theme; on the server, where it is unknown, `light`. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'light');
}

/** Switches to the other theme. A choice that equals the system's theme is forgotten, so that the system is followed. */
export function toggleTheme(): void {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  const system: Theme = matchMedia(DARK).matches ? 'dark' : 'light';
  const { dataset } = document.documentElement;
  if (next === system) delete dataset.theme;
  else dataset.theme = next;
  try {
    if (next === system) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Local storage is not available: the choice lasts as long as the page.
  }
  window.dispatchEvent(new Event(CHANGED));
}
