import { type AuthClient, createClient } from '@fabrica/client';
import type { SecondStepDetails } from '@fabrica/contract';
import { pageClient } from '../../client/page-client.ts';
import { createTabDraft } from '../../ui/tab-draft.ts';
import { showFirstPost } from '../first-post-notice.tsx';
import { parseStep } from '../second-step/step-cookie.ts';
import { readSignInTarget, type SignInTarget } from '../target/sign-in-target.ts';
import { deliverTokens, requireTokens } from './deliver-tokens.ts';
import { postToOpener } from './opener-window.ts';
import { resultPath } from './sign-in-result.tsx';
import type { SigningIn } from './signing-in.ts';

/** This tab holds the ticket of a second step, so that the page can be loaded again. */
const heldStep = createTabDraft('second-step');

/** Returns the second step that a sign-in of this tab asked for. */
export function readHeldStep(): SecondStepDetails | undefined {
  return parseStep(heldStep.read());
}

/** An account is new for so many milliseconds. */
const NEW_MS = 3_600_000;

/** The client whose session is for another page, window or app, until it is delivered. */
let passing: AuthClient | undefined;

/**
 * Returns the sign-in of a form in this browser. For this site the page's own client signs in. For another page, a popup's opener
 * or an app, a separate one does, whose session is handed over and not stored here: two holders of one refresh token would end
 * each other's session.
 */
export function signingInHere({ searchParams: query }: URL): SigningIn {
  const client = pageClient();
  const { projectId } = client;
  // The server has checked the target of this URL: a page with a refused one has no form.
  const target = readSignInTarget(query, { projectId, isAllowedOrigin: () => true });
  if (target.kind === 'refused') throw new Error(`This page has no form for a refused ${target.reason}.`);
  if (target.kind !== 'own') passing ??= createPassingAuth(projectId);
  const auth = target.kind === 'own' ? client.auth : (passing ?? client.auth);
  return {
    target,
    query,
    auth,
    step: readHeldStep(),
    setStep: (step) => heldStep.write(step ? JSON.stringify(step) : ''),
    keep: async () => {},
    async deliver() {
      if (target.kind === 'own') {
        if (auth.can('posts.create') && isNew(auth)) showFirstPost();
        return target.returnTo;
      }
      try {
        return target.kind === 'popup'
          ? await postTokens(auth, projectId, target)
          : await deliverTokens(auth, projectId, target);
      } finally {
        auth.destroy();
        passing = undefined;
      }
    },
    reportFailure: reportError,
  };
}

/** Tells whether the account is new, in whichever way it was made. */
function isNew(auth: AuthClient): boolean {
  const { user } = auth.getState();
  return user !== null && Date.now() - Date.parse(user.createdAt) < NEW_MS;
}

function createPassingAuth(projectId: string): AuthClient {
  const { auth } = createClient({
    projectId,
    origin: window.location.origin,
    tokenStorage: createMemoryStorage(),
    language: () => document.documentElement.lang,
  });
  return auth;
}

async function postTokens(
  auth: AuthClient,
  projectId: string,
  { openerOrigin, state }: Extract<SignInTarget, { kind: 'popup' }>,
): Promise<string> {
  const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = requireTokens(auth);
  const tokenSet = { access_token, refresh_token, token_type, expires_in, refresh_expires_in };
  if (await postToOpener(openerOrigin, { type: 'BLINK_AUTH_TOKENS', ...tokenSet, projectId, state })) {
    return resultPath('popup');
  }
  // The opener was closed in the meantime, and nobody else may have the session.
  await auth.signOut();
  return resultPath('opener-gone');
}

function createMemoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
