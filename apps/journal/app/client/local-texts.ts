import { hasCopies, removeCopies } from '../desk/saving/stored-copies.ts';
import { forgetUndo } from '../editor/forget-undo.ts';
import { listDrafts, removeDraft } from '../publish/drafts.ts';
import { hasFormerDrafts, removeFormerDrafts } from '../publish/former-drafts.ts';

/** Returns whether this browser holds anything of an author that may be nowhere else. */
export async function hasLocalTexts(authorId: string): Promise<boolean> {
  return hasCopies(authorId) || hasFormerDrafts(authorId) || (await listDrafts(authorId)).length > 0;
}

/** Removes all that an author has written in this browser, and what the desk keeps until the server has it. */
export async function removeLocalTexts(authorId: string): Promise<void> {
  removeCopies(authorId);
  forgetUndo(authorId);
  await removeFormerDrafts(authorId);
  for (const { id } of await listDrafts(authorId)) await removeDraft(id);
}
