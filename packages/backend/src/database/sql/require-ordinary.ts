import { AppError } from '../../core/errors.ts';

const TRANSACTION = 'begins or ends a transaction: a batch is one, and the server begins and ends it.';
const CONNECTION = 'changes the connection, which is lent for this call alone.';
const OPERATOR = 'is not for clients to give.';

/** What statements that clients cannot give begin with, and why. */
const REFUSED: readonly (readonly [words: RegExp, why: string])[] = [
  [
    /^(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|START|ABORT|PREPARE TRANSACTION|SET (?:SESSION|LOCAL)? ?TRANSACTION|SET SESSION CHARACTERISTICS)\b/,
    TRANSACTION,
  ],
  [/^(?:SET(?! CONSTRAINTS\b)|RESET|DISCARD|LISTEN|UNLISTEN|LOAD|PREPARE|EXECUTE|DEALLOCATE)\b/, CONNECTION],
  [/^(?:ATTACH|DETACH|VACUUM|COPY|CHECKPOINT)\b/, OPERATOR],
  [/^(?:CREATE|ALTER|DROP) (?:ROLE|USER|GROUP|DATABASE|SYSTEM|TABLESPACE)\b/, OPERATOR],
];

/** Throws VALIDATION_FAILED for a statement that begins with words that are not for clients to give. */
export function requireOrdinary(words: readonly string[]): void {
  const beginning = words.slice(0, 3).join(' ');
  for (const [refused, why] of REFUSED) {
    const [found] = refused.exec(beginning) ?? [];
    if (found !== undefined) throw new AppError('VALIDATION_FAILED', `"${found.trim()}" ${why}`);
  }
}
