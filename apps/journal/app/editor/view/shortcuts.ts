/** Returns a shortcut as the keys of this computer are labelled: `Mod-Shift-z` as `⇧⌘Z` or `Ctrl+Shift+Z`. */
export function shortcutOf(binding: string): string {
  const keys = binding.split('-').filter(Boolean);
  const last = (keys.at(-1) ?? '').toUpperCase();
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  const names: Record<string, string> = isMac
    ? { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
    : { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt' };
  const held = keys.slice(0, -1).map((key) => names[key] ?? key);
  return [...held, last].join(isMac ? '' : '+');
}
