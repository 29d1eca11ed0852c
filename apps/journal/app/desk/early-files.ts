import { builtFiles } from 'virtual:built-files';
import type { Language } from '../../project/languages.ts';
import { DESK_PATH } from './early-script.ts';

/**
 * Returns the `Link` header by which a browser loads the texts of the desk beside its scripts, rather than after them;
 * `undefined` for other pages, and in development. The scripts are named before the texts, as they are larger. The texts that
 * are not needed first let the request for the post pass, which has to share the few connections of HTTP/1.1 with them.
 */
export function linkEarlyFiles(pathname: string, language: Language): string | undefined {
  if (!DESK_PATH.test(pathname)) return undefined;
  const filesOf = (paths: readonly string[]) => paths.flatMap((path) => builtFiles[path] ?? []);
  const textsOf = (...names: string[]) => filesOf(names.map((name) => `messages/${language}/${name}.ts`));
  const first = new Set([...filesOf(['app/entry.client.tsx']), ...textsOf('public', 'member')]);
  const later = new Set(textsOf('desk', 'translation-desk', 'editor').filter((file) => !first.has(file)));
  const links = [
    ...[...first].map((file) => `<${file}>; rel=modulepreload`),
    ...[...later].map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`),
  ];
  return links.join(', ') || undefined;
}
