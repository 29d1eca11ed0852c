import { builtFiles } from 'virtual:built-files';
import type { Language } from '../language/languages.ts';
import { DESK_PATH } from './early-script.ts';

/**
 * Returns the `Link` header by which a browser loads the texts of the desk beside its scripts, rather than after them;
 * `undefined` for other pages, and in development. The scripts are named before the texts, as they are larger.
 */
export function linkEarlyFiles(pathname: string, language: Language): string | undefined {
  if (!DESK_PATH.test(pathname)) return undefined;
  const texts = ['public', 'member', 'desk', 'translation-desk', 'editor'];
  const paths = ['app/entry.client.tsx', ...texts.map((name) => `messages/${language}/${name}.ts`)];
  const files = new Set(paths.flatMap((path) => builtFiles[path] ?? []));
  return [...files].map((file) => `<${file}>; rel=modulepreload`).join(', ') || undefined;
}
