/** Begins the names under which a tab keeps what can be taken back. */
export const UNDO_PREFIX = 'text-undo:';

/**
 * Removes what this tab keeps of the texts of an account, or of all: an account that signs out leaves nothing behind on a
 * shared computer.
 */
export function forgetUndo(userId?: string): void {
  const prefix = userId === undefined ? UNDO_PREFIX : `${UNDO_PREFIX}${userId}:`;
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(prefix)) sessionStorage.removeItem(name);
    }
  } catch {
    // Without a storage, nothing was kept.
  }
}
