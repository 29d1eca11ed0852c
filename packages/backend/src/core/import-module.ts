import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A file may wait for something as it loads, but not for ever. */
const LONGEST_MS = 10_000;

/** What operators' own files import from us, wherever they lie. */
const OURS = /^(@fabrica\/(backend|contract)|kysely)(\/|$)/;

/**
 * From now on files below `folder`, and below those that `files` really lie in, get our own backend and our own
 * Kysely: they may be anywhere on the disk, and a second copy of either would not know the first one's classes. What is
 * in a `node_modules` there gets its own.
 */
export function lendOurModules(folder: string, files: readonly string[]): void {
  const folders = [folder, realPath(folder), ...files.map((file) => dirname(realPath(file)))];
  const roots = new Set(folders.map((path) => pathToFileURL(`${path}${sep}`).href));
  const isOfOperator = (address = '') =>
    [...roots].some(
      (root) => address.startsWith(root) && !address.slice(root.length).includes('node_modules/'),
    );
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      OURS.test(specifier) && isOfOperator(context.parentURL)
        ? nextResolve(specifier, { ...context, parentURL: import.meta.url })
        : nextResolve(specifier, context),
  });
}

/** What the file exports; TypeScript runs as it is. Throws an Error whose message says what is wrong, and where. */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  const loaded = new AbortController();
  const late = wait(LONGEST_MS, undefined, { signal: loaded.signal }).then(() => {
    throw new Error(`it takes longer than ${LONGEST_MS / 1_000} s to load`);
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href), late]);
  } catch (error) {
    throw new Error(explain(error, file), { cause: error });
  } finally {
    late.catch(() => undefined);
    loaded.abort();
  }
}

/** An Error that a file throws itself says enough; the runtime's own are told with their line. */
function explain(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message
    .replaceAll(/\s+/g, ' ')
    .replace(` imported from ${fileURLToPath(import.meta.url)}`, '');
  if (error.name === 'Error') return message;
  const [, path, line] = /(?:^|file:\/\/)(\/[^\n:]*):(\d+)/.exec(error.stack ?? '') ?? [];
  const place = path === undefined ? '' : ` in line ${line}${path === realPath(file) ? '' : ` of ${path}`}`;
  return `${error.name}${place}: ${message}`;
}

/** With links followed; as it is where there is nothing. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
