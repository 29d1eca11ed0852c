/** A part of an image file; `end` is exclusive. */
export interface ImagePart {
  start: number;
  end: number;
  /** `profile`: the colour profile. `extra`: what a viewer does not need, such as a position. */
  kind: 'image' | 'profile' | 'extra';
}

export interface ImageParts {
  /** All parts in their order; together they are the whole file. */
  parts: ImagePart[];
  /** Whether it has several frames. */
  animated: boolean;
}

/** Returns the error for a file that ends too early. */
export function incomplete(): Error {
  return new Error('The file ends before the image does.');
}

/** Returns `start + length`. Throws when the file ends before. */
export function requireEnd(file: Buffer, start: number, length: number): number {
  const end = start + length;
  if (end > file.length) throw incomplete();
  return end;
}

/** Returns the bytes after the end of the image as an extra part: other files are hidden there, such as videos of phones. */
export function trailingPart(file: Buffer, start: number): ImagePart[] {
  return start < file.length ? [{ start, end: file.length, kind: 'extra' }] : [];
}
