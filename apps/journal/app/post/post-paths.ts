/** The parts of a post's page that URLs lead to. */
export const ENGAGEMENT_ID = 'engagement';
export const COMMENTS_ID = 'comments';

/** The page shows the comments with this parameter; it is needed without JavaScript alone. */
export const OPEN_COMMENTS = { name: 'comments', value: 'open' } as const;

/** Returns the path of a post's page with its comments. */
export function commentsPath(postPath: string, place: string = COMMENTS_ID): string {
  return `${postPath}?${OPEN_COMMENTS.name}=${OPEN_COMMENTS.value}#${place}`;
}

/** Returns the path of the sign-in that leads back to a path of this site. */
export function signInPath(returnTo: string): string {
  return `/auth?${new URLSearchParams({ return_to: returnTo })}`;
}
