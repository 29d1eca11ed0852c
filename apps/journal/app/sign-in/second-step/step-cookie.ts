import type { SecondStepDetails } from '@fabrica/contract';
import { redirect } from 'react-router';
import type { PageBackend } from '../../backend-context.ts';
import { STEP_PATH, withTarget } from '../target/target-query.ts';

const NAME = 'fabrica_step';

/**
 * Leads a browser without JavaScript to the second step. The ticket travels in a cookie that no script reads, rather than in
 * a URL, which ends in histories and logs.
 */
export function redirectToStep(
  { cookies, publicUrl }: Pick<PageBackend, 'cookies' | 'publicUrl'>,
  step: SecondStepDetails,
  query: URLSearchParams,
): Response {
  const value = Buffer.from(JSON.stringify(step)).toString('base64url');
  cookies.set(`${NAME}=${value}; Max-Age=${step.expiresIn}; ${attributes(publicUrl)}`);
  return redirect(withTarget(STEP_PATH, query), 303);
}

/** Returns the second step that `redirectToStep` led to. */
export function readStepCookie({ cookies }: Pick<PageBackend, 'cookies'>): SecondStepDetails | undefined {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]+)`).exec(cookies.header ?? '')?.[1];
  if (value === undefined) return undefined;
  try {
    const step = JSON.parse(Buffer.from(value, 'base64url').toString()) as SecondStepDetails;
    return typeof step.ticket === 'string' && Array.isArray(step.methods) ? step : undefined;
  } catch {
    return undefined;
  }
}

export function removeStepCookie({ cookies, publicUrl }: Pick<PageBackend, 'cookies' | 'publicUrl'>): void {
  cookies.set(`${NAME}=; Max-Age=0; ${attributes(publicUrl)}`);
}

function attributes(publicUrl: string): string {
  return `Path=/auth; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`;
}
