import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Milliseconds that a file may take to load. */
const LONGEST_MS = 10_000;

/** Packages of this repository that operators' own files import, wherever those files are. */
const OURS = /^(@fabrica\/(backend|contract)|kysely)(\/|$)/;

/**
 * Makes files below `folder`, and below the folders that `files` really are in, import this repository's backend and
 * Kysely. They may be anywhere on the disk, and a second copy of either would not know the first one's classes. Packages in
 * a `node_modules` there import their own.
 */
export function shareOurModules(folder: string, files: readonly string[]): void {
  const folders = [folder, realPath(folder), ...files.map((file) => dirname(realPath(file)))];
  const roots = new Set(folders.map((path) => pathToFileURL(`${path}${sep}`).href));
  const isOperatorsFile = (url = '') =>
    [...roots].some((root) => url.startsWith(root) && !url.slice(root.length).includes('node_modules/'));
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      OURS.test(specifier) && isOperatorsFile(context.parentURL)
        ? nextResolve(specifier, { ...context, parentURL: import.meta.url })
        : nextResolve(specifier, context),
  });
}

/** Returns what a file exports; TypeScript runs as it is. Throws an Error whose message says what is wrong, and where. */
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

/** Describes an error of a file. One that the file throws itself says enough; the runtime's own get their line. */
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

/** Returns the path with its symbolic links followed, or as it is where there is no file. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
