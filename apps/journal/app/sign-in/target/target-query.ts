/** The page that takes the second step of a sign-in. */
export const STEP_PATH = '/auth/step';

/** These query parameters name the target of a sign-in (wire contract, `/auth`; `return_to` is the journal's own). */
const TARGET_PARAMETERS = [
  'redirect_url',
  'project_id',
  'mode',
  'state',
  'opener_origin',
  'session_id',
  'return_to',
] as const;

/** Returns the path with the target of the current query; tokens, codes and errors are left out. */
export function withTarget(path: string, query: URLSearchParams): string {
  const target = new URLSearchParams();
  for (const name of TARGET_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) target.set(name, value);
  }
  return target.size > 0 ? `${path}?${target}` : path;
}
