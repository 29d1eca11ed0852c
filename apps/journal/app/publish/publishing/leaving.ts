/** A page that is left is gone within this many milliseconds after the browser has broken off its requests. */
const GONE_MS = 3_000;

let isLeaving = false;

/** Lets the browser ask before a publish is broken off by a reload or by closing the tab, from whichever page. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
  isLeaving = true;
  // The first timer ends with the question, however long it is open.
  setTimeout(() => setTimeout(() => (isLeaving = false), GONE_MS));
}

/**
 * Resolves at once, except on a page that is being left: browsers break off its requests while its scripts still run,
 * and a publish must not take that for failed translations and go on without them.
 */
export function whenStaying(): Promise<void> {
  return isLeaving ? new Promise((resolve) => setTimeout(resolve, GONE_MS)) : Promise.resolve();
}
