/** How a sign-in for somebody else ended, where this window does not leave by itself: `/auth/complete?done=…`. */
export const ENDINGS = ['app', 'popup', 'opener-gone'] as const;
export type Ending = (typeof ENDINGS)[number];

export function endingAddress(ending: Ending): string {
  return `/auth/complete?done=${ending}`;
}

export function readEnding(query: URLSearchParams): Ending | undefined {
  return ENDINGS.find((ending) => ending === query.get('done'));
}
