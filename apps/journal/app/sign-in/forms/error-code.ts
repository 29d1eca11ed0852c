/**
 * The code of an error that a client threw; undefined for any other. Told by its shape and not by its class: the built
 * pages and the server, which makes the client of their actions, each hold a copy of the class.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
