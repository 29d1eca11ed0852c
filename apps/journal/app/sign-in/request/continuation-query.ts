/** The parts of a query that say where a sign-in leads (wire contract, `/auth`; `return_to` is ours). */
const ASKED = [
  'redirect_url',
  'project_id',
  'mode',
  'state',
  'opener_origin',
  'session_id',
  'return_to',
] as const;

/** A page of ours, told where the sign-in leads that the reader came for; tokens of links stay behind. */
export function carryOn(path: string, query: URLSearchParams): string {
  const asked = new URLSearchParams();
  for (const name of ASKED) {
    const value = query.get(name);
    if (value !== null) asked.set(name, value);
  }
  return asked.size > 0 ? `${path}?${asked}` : path;
}
