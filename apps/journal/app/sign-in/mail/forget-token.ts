/** Takes a spent token out of the address and the history. */
export function forgetToken(): void {
  const { pathname, search } = window.location;
  const query = new URLSearchParams(search);
  query.delete('token');
  window.history.replaceState(window.history.state, '', query.size > 0 ? `${pathname}?${query}` : pathname);
}
