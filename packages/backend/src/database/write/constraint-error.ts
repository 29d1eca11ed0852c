import { AppError } from '../../core/errors.ts';
import type { Violation } from '../port.ts';

/** Returns the error that a caller gets for a write that breaks a constraint of the tables. It contains no SQL. */
export function constraintError(violation: Violation, cause: unknown): AppError {
  switch (violation) {
    case 'unique':
      return new AppError('CONFLICT', 'There is a row with these values already.', { cause });
    case 'foreign-key':
      return new AppError('VALIDATION_FAILED', 'This refers to a row that does not exist.', { cause });
    case 'not-null':
    case 'check':
      return new AppError('VALIDATION_FAILED', 'The row is not one that this table takes.', { cause });
  }
}
