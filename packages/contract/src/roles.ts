/** What a role may do (docs/spec/product.md section 6). */
export interface Role {
  /** `*`, `resource` or `resource.action`; a resource grants all of its actions. */
  permissions: readonly string[];
  /** Roles whose permissions this one has as well. */
  inherits?: readonly string[];
}

export type RoleMap = Readonly<Record<string, Role>>;

/** One role or a list: is the user's single role among them? Nobody has none. */
export function hasRole(
  user: { role: string } | null | undefined,
  role: string | readonly string[],
): boolean {
  if (!user) return false;
  return typeof role === 'string' ? user.role === role : role.includes(user.role);
}

/**
 * Whether the role grants `permission`, written `posts` or `posts.create`, or in two parts: `can(roles, role,
 * 'posts', 'create')`. `*` grants all, a resource its actions; what a role inherits it has as well, cycles included.
 */
export function can(roles: RoleMap, role: string, permission: string, action?: string): boolean {
  const wanted = action ? `${permission}.${action}` : permission;
  const [resource = ''] = wanted.split('.');
  const seen = new Set<string>();
  const grants = (name: string): boolean => {
    if (seen.has(name) || !Object.hasOwn(roles, name)) return false;
    seen.add(name);
    const { permissions = [], inherits = [] } = roles[name] ?? {};
    return (
      permissions.some((given) => given === '*' || given === resource || given === wanted) ||
      inherits.some(grants)
    );
  };
  return grants(role);
}
