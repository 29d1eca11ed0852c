import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { parseWith } from '../../../http/body.ts';
import type { AuthContext } from '../context.ts';

/** What an app calls the session that it polls for: of its own making, and not to be guessed. */
export const mobileSessionId = z
  .string()
  .regex(/^[\w-]{16,200}$/, 'must be 16 to 200 letters, digits, "-" or "_"');

const webAddress = z.string().max(2_000);

/** Where the sign-in is to lead, in the words of the wire contract's `/auth`. */
export const asked = z.object({
  project_id: z.string().min(1).max(100),
  /** Absent with a `redirect_url`: redirect. Absent without one: a sign-in on our own pages. */
  mode: z.enum(['redirect', 'popup', 'mobile-session']).optional(),
  redirect_url: webAddress.optional(),
  state: z.string().max(1_000).optional(),
  opener_origin: webAddress.optional(),
  session_id: mobileSessionId.optional(),
  return_to: z.string().max(2_000).optional(),
});

const authorizeQuery = asked.extend({ provider: z.string().min(1).max(60) });

export type Asked = z.infer<typeof asked>;
export type AuthorizeQuery = z.infer<typeof authorizeQuery>;

/**
 * Reads the query of `/authorize`; what is empty was not asked for. Throws VALIDATION_FAILED, and REDIRECT_FAILED when
 * the sign-in would lead to where it must not.
 */
export function parseAuthorizeQuery(
  context: Pick<AuthContext, 'isAllowedOrigin' | 'publicUrl'>,
  query: Readonly<Record<string, string>>,
): AuthorizeQuery {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const parsed = parseWith(authorizeQuery, given);
  const { mode, redirect_url, opener_origin, session_id, return_to } = parsed;
  for (const address of [redirect_url, opener_origin]) {
    if (address !== undefined && !context.isAllowedOrigin(address, parsed.project_id)) {
      throw redirectFailed('The address to go on to is not on this project’s list of allowed origins.');
    }
  }
  if (return_to !== undefined && !isOwnPath(return_to, context.publicUrl)) {
    throw redirectFailed('return_to must be a path of this site.');
  }
  if (mode === 'redirect' && !redirect_url) throw redirectFailed('redirect_url is missing.');
  if (mode === 'popup' && !opener_origin) throw redirectFailed('opener_origin is missing.');
  if (mode === 'mobile-session' && !session_id) {
    throw new AppError('VALIDATION_FAILED', 'session_id is missing.');
  }
  return parsed;
}

/** Browsers take tabs and line ends out of an address, and `\` for `/`. */
function isOwnPath(path: string, publicUrl: string): boolean {
  return path.startsWith('/') && URL.parse(path, publicUrl)?.origin === new URL(publicUrl).origin;
}

function redirectFailed(message: string): AppError {
  return new AppError('REDIRECT_FAILED', message);
}
