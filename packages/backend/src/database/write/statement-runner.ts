import { CompiledQuery, type Transaction } from 'kysely';
import type { Row } from '../../core/bus.ts';
import type { Write } from './write.ts';

/** Compiled statements within a transaction. */
export function statementRunner(transaction: Transaction<unknown>): Write['run'] {
  return async ({ sql, parameters }) => {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    return rows as Row[];
  };
}
