import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { StoredFile } from '../queries.ts';

/** Only the uploader and the service role change, remove or see the original of a file; throws FORBIDDEN. */
export function authorizeChange(file: StoredFile, caller: Caller): void {
  if (caller.kind === 'service') return;
  if (caller.kind === 'user' && file.user_id === caller.id) return;
  throw new AppError('FORBIDDEN', `"${file.path}" belongs to someone else.`);
}
