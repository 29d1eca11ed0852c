/** Blobs whose removal is remembered. Those of more removals are dropped all together. */
const MAX_REMOVED = 10_000;

/** Tells whether files that were read are still the same, for those who keep what they made of them. */
export interface FileChanges {
  /** Called before a file is read. Returns the function that tells whether the file with this blob is the same since then. */
  begin(): (blob: string) => boolean;
  /** Notes that the files with these blobs are removed or replaced. */
  note(blobs: readonly string[]): void;
}

/** `foreignCommits` grows with the commits of other processes, whose files are not known: each may have changed any file. */
export function createFileChanges(foreignCommits: () => number): FileChanges {
  // A blob's key is never used again.
  const removed = new Set<string>();
  let overflows = 0;
  return {
    begin() {
      const [commits, begun] = [foreignCommits(), overflows];
      return (blob) => foreignCommits() === commits && overflows === begun && !removed.has(blob);
    },
    note(blobs) {
      for (const blob of blobs) removed.add(blob);
      if (removed.size <= MAX_REMOVED) return;
      removed.clear();
      overflows += 1;
    },
  };
}
