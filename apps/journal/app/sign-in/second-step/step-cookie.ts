import type { SecondStepDetails } from '@fabrica/contract';
import type { PageBackend } from '../../backend-context.ts';

const NAME = 'fabrica_step';

/**
 * Remembers the second step of a browser without JavaScript, or forgets it. The ticket travels in a cookie that no script reads,
 * rather than in a URL, which ends in histories and logs.
 */
export function setStepCookie(
  { cookies, publicUrl }: Pick<PageBackend, 'cookies' | 'publicUrl'>,
  step: SecondStepDetails | undefined,
): void {
  const value = step ? Buffer.from(JSON.stringify(step)).toString('base64url') : '';
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const lifetime = `Max-Age=${step?.expiresIn ?? 0}`;
  cookies.set(`${NAME}=${value}; ${lifetime}; Path=/auth; HttpOnly; SameSite=Lax${secure}`);
}

/** Returns the second step that is remembered. */
export function readStepCookie({ cookies }: Pick<PageBackend, 'cookies'>): SecondStepDetails | undefined {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]+)`).exec(cookies.header ?? '')?.[1];
  return value === undefined ? undefined : parseStep(Buffer.from(value, 'base64url').toString());
}

/** Parses a second step that was stored as JSON. */
export function parseStep(text: string): SecondStepDetails | undefined {
  try {
    const step = JSON.parse(text) as SecondStepDetails;
    return typeof step.ticket === 'string' && Array.isArray(step.methods) ? step : undefined;
  } catch {
    return undefined;
  }
}
