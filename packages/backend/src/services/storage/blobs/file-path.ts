import { AppError } from '../../../core/errors.ts';

const MAX_PATH_LENGTH = 512;

/** Control characters, unpaired surrogates, and characters that change the direction of text. */
const HARMFUL = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** Returns `value` if it is a plain relative path such as `folder/name.ext`. Throws INVALID_PATH. */
export function parseFilePath(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw invalid('A path must be a non-empty string.');
  if (value.length > MAX_PATH_LENGTH) throw invalid(`A path has ${MAX_PATH_LENGTH} characters at most.`);
  if (HARMFUL.test(value)) throw invalid('A path must not have control characters in it.');
  if (value.includes('\\')) throw invalid('A path must not have backslashes in it.');
  if (value.startsWith('/')) throw invalid('A path must not begin with a slash.');
  const segments = value.split('/');
  if (segments.some((segment) => segment.trim() === '' || segment === '.' || segment === '..')) {
    throw invalid('A path must not have empty parts, "." or ".." in it.');
  }
  return value;
}

function invalid(message: string): AppError {
  return new AppError('INVALID_PATH', message);
}

/** Returns the last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns `jpg` for `a/b.JPG`, and an empty text for a path without an extension. */
export function fileExtension(path: string): string {
  const name = fileName(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** Returns `a/b.png` for `a/b.jpg`. */
export function replaceExtension(path: string, extension: string): string {
  return addExtension(path.slice(0, -(fileExtension(path).length + 1)), extension);
}

/** Returns `a/b.png` for `a/b`. Throws INVALID_PATH when the result is too long. */
export function addExtension(path: string, extension: string): string {
  return parseFilePath(`${path}.${extension}`);
}
