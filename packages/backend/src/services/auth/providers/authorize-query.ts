import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { parseWith } from '../../../http/body.ts';
import type { AuthContext } from '../context.ts';

/** The id of a session that an app polls for. The app makes it; it must not be guessable. */
export const mobileSessionId = z
  .string()
  .regex(/^[\w-]{16,200}$/, 'must be 16 to 200 letters, digits, "-" or "_"');

const webUrl = z.string().max(2_000);

/** The target of a sign-in, with the names of the wire contract's `/auth`. */
export const signInTarget = z.object({
  project_id: z.string().min(1).max(100),
  /** Default: `redirect` with a `redirect_url`, otherwise a sign-in on our own pages. */
  mode: z.enum(['redirect', 'popup', 'mobile-session']).optional(),
  redirect_url: webUrl.optional(),
  state: z.string().max(1_000).optional(),
  opener_origin: webUrl.optional(),
  session_id: mobileSessionId.optional(),
  return_to: z.string().max(2_000).optional(),
});

const authorizeQuery = signInTarget.extend({ provider: z.string().min(1).max(60) });

export type SignInTarget = z.infer<typeof signInTarget>;
type AuthorizeQuery = z.infer<typeof authorizeQuery>;

/**
 * Parses the query of `/authorize`; an empty parameter counts as missing. Throws `VALIDATION_FAILED`, and
 * `REDIRECT_FAILED` for a target that is not allowed.
 */
export function parseAuthorizeQuery(
  context: Pick<AuthContext, 'isAllowedOrigin' | 'publicUrl'>,
  query: Readonly<Record<string, string>>,
): AuthorizeQuery {
  const present = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const parsed = parseWith(authorizeQuery, present);
  const { mode, redirect_url, opener_origin, session_id, return_to } = parsed;
  for (const url of [redirect_url, opener_origin]) {
    if (url !== undefined && !context.isAllowedOrigin(url, parsed.project_id)) {
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

/**
 * Returns whether a path stays on this site. Browsers drop tabs and line ends from URLs and read `\` as `/`,
 * so the URL is parsed.
 */
function isOwnPath(path: string, publicUrl: string): boolean {
  return path.startsWith('/') && URL.parse(path, publicUrl)?.origin === new URL(publicUrl).origin;
}

function redirectFailed(message: string): AppError {
  return new AppError('REDIRECT_FAILED', message);
}
