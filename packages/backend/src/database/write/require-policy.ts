import type { Row } from '../../core/bus.ts';
import { forbidden } from '../../core/errors.ts';
import { allOf, type Filter } from '../../core/filter.ts';
import { compileCount } from '../query/compile.ts';
import { chunks, idOf, type WriteTransaction } from './write-transaction.ts';

/** Throws FORBIDDEN unless there is a policy and all of these rows, as they are stored, satisfy it. */
export async function requirePolicy(
  { context, run }: WriteTransaction,
  rows: readonly Row[],
  policy: Filter | undefined,
): Promise<void> {
  if (!policy) throw forbidden();
  if (holdsAlways(policy)) return;
  const ids = [...new Set(rows.map(idOf))];
  let satisfied = 0;
  for (const values of chunks(ids)) {
    const [row] = await run(compileCount(context, allOf({ kind: 'in', column: 'id', values }, policy)));
    satisfied += Number(row?.total);
  }
  if (satisfied !== ids.length) throw forbidden();
}

/** Tells whether every row satisfies a policy, as the service role's: there is nothing to look up. */
function holdsAlways(policy: Filter): boolean {
  return policy.kind === 'and' && policy.of.every(holdsAlways);
}
