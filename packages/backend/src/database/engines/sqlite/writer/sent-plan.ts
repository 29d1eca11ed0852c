import type { Permission } from '../../../permission.ts';
import type { WritePlan } from '../../../port.ts';

/**
 * A plan on its way to the writer. Its permission is most of it, and that of the service role is the same each time:
 * it is sent once and bears a number from then on.
 */
export interface SentPlan {
  plan: PlanBody;
  permission: Permission | undefined;
  number: number | undefined;
}

type PlanBody = WithoutPermission<WritePlan>;
type WithoutPermission<Plan> = Plan extends WritePlan ? Omit<Plan, 'permission'> : never;

/** Prepares plans for one thread. */
export function planSender(): (plan: WritePlan) => SentPlan {
  /** Met once: of most permissions there is no second time. */
  const met = new WeakSet<Permission>();
  const numbers = new WeakMap<Permission, number>();
  let last = 0;
  return ({ permission, ...plan }) => {
    const number = numbers.get(permission);
    if (number !== undefined) return { plan, permission: undefined, number };
    if (!met.has(permission)) {
      met.add(permission);
      return { plan, permission, number: undefined };
    }
    last += 1;
    numbers.set(permission, last);
    return { plan, permission, number: last };
  };
}

/** The thread's half. */
export function planReceiver(): (sent: SentPlan) => WritePlan {
  const numbered = new Map<number, Permission>();
  return ({ plan, permission, number }) => {
    const known = permission ?? numbered.get(number ?? 0);
    if (!known) throw new Error('A plan came without its permission.');
    if (number !== undefined) numbered.set(number, known);
    return { ...plan, permission: known } as WritePlan;
  };
}
