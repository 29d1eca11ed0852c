/** Bytes of a body of this service at most: no call has more to say. */
export const MAX_AUTH_BYTES = 16 * 1024;
