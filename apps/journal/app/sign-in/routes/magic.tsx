import '../../language/member-messages.ts';
import { readSecondStep } from '@fabrica/client';
import type { SecondStepDetails } from '@fabrica/contract';
import { data, useSearchParams } from 'react-router';
import { backendContext, type PageBackend } from '../../backend-context.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { RefusedPage } from '../forms/auth-page.tsx';
import { hasErrors } from '../forms/form-errors.ts';
import { readClaim, readFormData } from '../forms/form-fields.ts';
import { redirectWithToken } from '../mail/link-redirect.tsx';
import { type MailFormState, submitCode, submitLink } from '../mail/mail-form-state.ts';
import { MailSignIn } from '../mail/mail-sign-in.tsx';
import { sendSignInLink } from '../mail/send-sign-in-link.ts';
import { SignInLink } from '../mail/sign-in-link.tsx';
import { redirectToStep } from '../second-step/step-cookie.ts';
import {
  readLinkTarget,
  readSignInTarget,
  type SignInTarget,
  type TargetRules,
} from '../target/sign-in-target.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { finishOnServer } from '../tokens/finish-on-server.ts';
import type { Route } from './+types/magic.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const target = readTarget(url.searchParams, context.get(backendContext));
  return data(target, { status: target.kind === 'refused' ? 400 : 200 });
}

/** Takes the steps for readers without JavaScript. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const target = readTarget(url.searchParams, backend);
  if (target.kind === 'refused') return data(undefined, { status: 400 });
  const token = url.searchParams.get('token');
  if (token && target.kind === 'redirect') {
    return redirectWithToken(target.redirectUrl, 'magic_token', token);
  }
  const fields = await readFormData(request);
  const asked = watchSecondStep();
  const state = token
    ? await submitLink(fields, () =>
        asked.watch(backend.client.auth.verifyMagicLink(token, readClaim(fields))),
      )
    : await takeStep(backend, target, { fields, asked });
  if (asked.step) return redirectToStep(backend, asked.step, url.searchParams);
  if (!state) return data(undefined, { status: 400 });
  if (state.step === 'done' && worksWithoutScript(target)) {
    return finishOnServer(backend, target);
  }
  return data(state, { status: hasErrors(state.errors) ? 400 : 200 });
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/magic', ({ authMail }) => authMail.magic);
}

export default function MagicLinkRoute({ loaderData: target, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const token = query.get('token');
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  return token === null ? (
    <MailSignIn target={target} initial={actionData} />
  ) : (
    <SignInLink target={target} token={token} initial={actionData} />
  );
}

/** Reads the target of a mail's link if there is a token, and of a page that requests a mail otherwise. */
function readTarget(query: URLSearchParams, rules: TargetRules) {
  return query.has('token') ? readLinkTarget(query, rules) : readSignInTarget(query, rules);
}

/** Notes the second step that a sign-in asks for: to the form, it is an error like others. */
function watchSecondStep() {
  const asked = {
    step: undefined as SecondStepDetails | undefined,
    watch: (signIn: Promise<unknown>) =>
      signIn.catch((error: unknown) => {
        asked.step = readSecondStep(error);
        throw error;
      }),
  };
  return asked;
}

async function takeStep(
  { client: { auth } }: PageBackend,
  target: SignInTarget,
  { fields, asked }: { fields: FormData; asked: ReturnType<typeof watchSecondStep> },
): Promise<MailFormState | undefined> {
  switch (fields.get('intent')) {
    case 'ask':
    case 'again':
      return sendSignInLink(auth, target, fields);
    case 'code':
      if (!worksWithoutScript(target)) return undefined;
      return submitCode(fields, ({ email, code }) =>
        asked.watch(auth.verifyMagicCode(email, code, readClaim(fields))),
      );
    default:
      return undefined;
  }
}
