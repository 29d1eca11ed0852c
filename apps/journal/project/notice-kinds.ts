/** The kind of mail about new comments. */
export const NEW_COMMENTS = 'new-comments';
/** The kind of mail about bylines that name the account. */
export const NAMED = 'named';
