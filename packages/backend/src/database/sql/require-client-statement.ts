import { AppError } from '../../core/errors.ts';

const TRANSACTION = 'begins or ends a transaction: a batch is one, and the server begins and ends it.';
const CONNECTION = 'changes the connection, which is lent for this call alone.';
const OPERATOR_ONLY = 'is not for clients to give.';

/** The first words of statements that clients may not run, and the reason. */
const REFUSED: readonly (readonly [words: RegExp, why: string])[] = [
  [
    /^(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|START|ABORT|PREPARE TRANSACTION|SET (?:SESSION|LOCAL)? ?TRANSACTION|SET SESSION CHARACTERISTICS)\b/,
    TRANSACTION,
  ],
  [/^(?:SET(?! CONSTRAINTS\b)|RESET|DISCARD|LISTEN|UNLISTEN|LOAD|PREPARE|EXECUTE|DEALLOCATE)\b/, CONNECTION],
  [/^(?:ATTACH|DETACH|VACUUM|COPY|CHECKPOINT)\b/, OPERATOR_ONLY],
  [/^(?:CREATE|ALTER|DROP) (?:ROLE|USER|GROUP|DATABASE|SYSTEM|TABLESPACE)\b/, OPERATOR_ONLY],
];

/** Throws VALIDATION_FAILED for a statement that clients may not run. */
export function requireClientStatement(words: readonly string[]): void {
  const beginning = words.slice(0, 3).join(' ');
  for (const [refused, why] of REFUSED) {
    const [found] = refused.exec(beginning) ?? [];
    if (found !== undefined) throw new AppError('VALIDATION_FAILED', `"${found.trim()}" ${why}`);
  }
}
