/** The parts of a post's page that URLs lead to. */
export const ENGAGEMENT_ID = 'engagement';
export const COMMENTS_ID = 'comments';

/** The page shows the form for an error of the translation with this parameter, without JavaScript alone. */
export const REPORT_PARAMETER = 'report';
export const REPORT_ID = 'report';

/** The page shows the comments with this parameter; it is needed without JavaScript alone. */
export const OPEN_COMMENTS = { name: 'comments', value: 'open' } as const;

/** Returns the path of a post's page with its comments. */
export function commentsPath(postPath: string, place: string = COMMENTS_ID): string {
  return `${postPath}?${OPEN_COMMENTS.name}=${OPEN_COMMENTS.value}#${place}`;
}

/** Returns where a post's page has the form for an error of its translation, or the thanks for one that was sent. */
export function reportPath(postPath: string, state: ReportState): string {
  return `${postPath}?${REPORT_PARAMETER}=${state}#${REPORT_ID}`;
}

export type ReportState = 'open' | 'sent';

/** Returns the path of the sign-in that leads back to a path of this site. */
export function signInPath(returnTo: string): string {
  return `/auth?${new URLSearchParams({ return_to: returnTo })}`;
}
