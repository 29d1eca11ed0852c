import type { Permission } from '../../../permission.ts';
import type { CombinedPlan, TablePlan, WritePlan } from '../../../port.ts';

/**
 * A plan on one table as it is sent to the writer's thread. The permission is most of it, and the service role's is the same each
 * time: a permission that comes again is sent once more with a number, and later by its number alone.
 */
interface SentTablePlan {
  plan: PlanBody;
  permission: Permission | undefined;
  number: number | undefined;
}

/** A plan as it is sent to the writer: one part, or those of a combined plan in their order. */
export type SentPlan = SentTablePlan | (Omit<CombinedPlan, 'plans'> & { plans: readonly SentTablePlan[] });

type PlanBody = WithoutPermission<TablePlan>;
type WithoutPermission<Plan> = Plan extends WritePlan ? Omit<Plan, 'permission'> : never;

/** Returns a function that prepares plans for one thread. */
export function planSender(): (plan: WritePlan) => SentPlan {
  /** Most permissions come once only, and get no number. */
  const seen = new WeakSet<Permission>();
  const numbers = new WeakMap<Permission, number>();
  let last = 0;
  const sendOne = ({ permission, ...plan }: TablePlan): SentTablePlan => {
    const number = numbers.get(permission);
    if (number !== undefined) return { plan, permission: undefined, number };
    if (!seen.has(permission)) {
      seen.add(permission);
      return { plan, permission, number: undefined };
    }
    last += 1;
    numbers.set(permission, last);
    return { plan, permission, number: last };
  };
  return (plan) => (plan.kind === 'all' ? { ...plan, plans: plan.plans.map(sendOne) } : sendOne(plan));
}

/** Returns the function that the thread restores plans with. */
export function planReceiver(): (sent: SentPlan) => WritePlan {
  const numbered = new Map<number, Permission>();
  const receiveOne = ({ plan, permission, number }: SentTablePlan) => {
    const known = permission ?? numbered.get(number ?? 0);
    if (!known) throw new Error('A plan came without its permission.');
    if (number !== undefined) numbered.set(number, known);
    return { ...plan, permission: known } as TablePlan;
  };
  return (sent) => ('plans' in sent ? { ...sent, plans: sent.plans.map(receiveOne) } : receiveOne(sent));
}
