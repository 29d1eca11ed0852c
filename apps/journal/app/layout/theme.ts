import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'fabrica_theme';
const CHANGED = 'fabrica:theme';
const DARK = '(prefers-color-scheme: dark)';

/** Runs in the head, before anything is painted: a kept choice never flashes the other theme. */
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

/** The theme in force; `light` on the server, where nobody knows. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'light');
}

/** Goes to the other theme. Choosing what the system has anyway means following it again. */
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
    // Storage is closed to us: the choice lasts as long as the page.
  }
  window.dispatchEvent(new Event(CHANGED));
}
