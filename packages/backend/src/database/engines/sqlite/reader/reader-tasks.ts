import type { Scalar } from '../../../../core/filter.ts';

export interface ReadTask {
  /** Rows as objects, or as arrays. */
  kind: 'objects' | 'arrays';
  sql: string;
  parameters: readonly Scalar[];
}

/** What the reader's thread does with the file of this path. */
export type ReaderTask = { path: string } & (
  | (ReadTask & {
      /** Milliseconds that the statement may take. */
      longestStatement: number;
      /** Epoch ms; what has waited for longer is not begun. */
      until: number;
    })
  | { kind: 'close' }
);
