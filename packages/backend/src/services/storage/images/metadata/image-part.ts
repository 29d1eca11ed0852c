/** A stretch of a picture's file, `end` being the first byte that is no longer part of it. */
export interface ImagePart {
  start: number;
  end: number;
  /** `profile`: its colours. `extra`: whatever a viewer does not need, such as where it was taken. */
  kind: 'picture' | 'profile' | 'extra';
}

export interface ImageParts {
  /** In their order; together they are the whole file. */
  parts: ImagePart[];
  /** More than one picture, shown one after the other. */
  animated: boolean;
}

/** What to say of a file in which something is announced that does not come. */
export function cutOff(): Error {
  return new Error('The file ends before the picture does.');
}

/** Throws when the file has no `length` bytes from `start` on; answers the end of them. */
export function requireEnd(file: Buffer, start: number, length: number): number {
  const end = start + length;
  if (end > file.length) throw cutOff();
  return end;
}

/** What follows the end of a picture is no part of it: other files are hidden there, and films with their places. */
export function trailingPart(file: Buffer, start: number): ImagePart[] {
  return start < file.length ? [{ start, end: file.length, kind: 'extra' }] : [];
}
