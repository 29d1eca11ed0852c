/** `<project id>.<256 random bits>`, of refresh tokens and one-time tokens: the project is told so that the row can be found. */
const SHAPE = /^([a-z0-9][a-z0-9_-]{0,62})\.[\w-]{43}$/;

/** The project that a token is for; undefined when it cannot be one of ours. */
export function tokenProject(token: string): string | undefined {
  return SHAPE.exec(token)?.[1];
}
