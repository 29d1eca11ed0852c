/** The permissions of a role (docs/spec/product.md section 6). */
interface Role {
  /** `*`, `resource` or `resource.action`; a resource grants all of its actions. */
  permissions: readonly string[];
  /** Roles whose permissions this one has as well. */
  inherits?: readonly string[];
}

export type RoleMap = Readonly<Record<string, Role>>;

/** Returns whether the user's role is `role`, or one of the list. It is false for an anonymous caller. */
export function hasRole(
  user: { role: string } | null | undefined,
  role: string | readonly string[],
): boolean {
  if (!user) return false;
  return typeof role === 'string' ? user.role === role : role.includes(user.role);
}

/**
 * Returns whether the role grants `permission`, written `posts` or `posts.create`, or in two parts: `can(roles, role,
 * 'posts', 'create')`. `*` grants everything, a resource grants its actions. Inherited permissions count; cycles are
 * allowed.
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
      permissions.some((granted) => granted === '*' || granted === resource || granted === wanted) ||
      inherits.some(grants)
    );
  };
  return grants(role);
}
