import '../../language/member-messages.ts';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { RefusedPage } from '../forms/auth-page.tsx';
import { readClaim, readField, readFormData } from '../forms/form-fields.ts';
import { redirectWithToken } from '../mail/link-redirect.tsx';
import { respondWith, submitCode, submitLink } from '../mail/mail-form-state.ts';
import { MailSignIn } from '../mail/mail-sign-in.tsx';
import { sendSignInLink } from '../mail/send-sign-in-link.ts';
import { SignInLink } from '../mail/sign-in-link.tsx';
import { readLinkTarget, readSignInTarget, type TargetRules } from '../target/sign-in-target.ts';
import { type SignInCall, type SigningIn, signIn } from '../tokens/signing-in.ts';
import { signingInHere } from '../tokens/signing-in-here.ts';
import { signingInOnServer } from '../tokens/signing-in-on-server.ts';
import type { Route } from './+types/magic.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const target = readTarget(url.searchParams, context.get(backendContext));
  return data(target, { status: target.kind === 'refused' ? 400 : 200 });
}

/** Redirects to the page that a link's token was made for, or takes the steps of this page. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const { searchParams: query } = url;
  const target = readTarget(query, backend);
  const token = query.get('token');
  if (token && target.kind === 'redirect') {
    return redirectWithToken(target.redirectUrl, 'magic_token', token);
  }
  return takeStep(signingInOnServer(backend, target, query), await readFormData(request));
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return takeStep(signingInHere(new URL(request.url)), await request.formData());
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/magic', ({ authMail }) => authMail.magic);
}

export default function MagicLinkRoute({ loaderData: target, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  return query.get('token') === null ? (
    <MailSignIn target={target} sent={actionData} />
  ) : (
    <SignInLink target={target} sent={actionData} />
  );
}

/** Reads the target of a mail's link if there is a token, and of a page that requests a mail otherwise. */
function readTarget(query: URLSearchParams, rules: TargetRules) {
  return query.has('token') ? readLinkTarget(query, rules) : readSignInTarget(query, rules);
}

/** Requests a mail, or signs in by the code of one or by the token of the page's URL. */
async function takeStep(signingIn: SigningIn | undefined, fields: FormData) {
  if (!signingIn) return data(undefined, { status: 400 });
  const { auth, target, query } = signingIn;
  const token = query.get('token');
  const intent = readField(fields, 'intent');
  if (!token && (intent === 'ask' || intent === 'again')) {
    return respondWith(await sendSignInLink(auth, target, fields));
  }
  if (!token && intent !== 'code') return data(undefined, { status: 400 });
  let response: Response | undefined;
  const finish = async (call: SignInCall) => {
    response = await signIn(signingIn, call);
  };
  const state = token
    ? await submitLink(fields, () => finish((client) => client.verifyMagicLink(token, readClaim(fields))))
    : await submitCode(fields, ({ email, code }) =>
        finish((client) => client.verifyMagicCode(email, code, readClaim(fields))),
      );
  return response ?? respondWith(state);
}
