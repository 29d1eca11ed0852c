import { data, redirect, useSearchParams } from 'react-router';
import { backendContext, type PageBackend } from '../../backend-context.ts';
import { messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { AuthFrame } from '../forms/auth-page.tsx';
import { readFields } from '../forms/read-fields.ts';
import { RefusedRequest } from '../forms/refused-request.tsx';
import { sendOnward } from '../mail/link-redirect.tsx';
import { hasFaults, type MailFormState, spendTypedCode } from '../mail/mail-form-state.ts';
import { MailSignIn } from '../mail/mail-sign-in.tsx';
import { askForLink } from '../mail/send-sign-in-link.ts';
import { SignInLink } from '../mail/sign-in-link.tsx';
import { readLinkRequest } from '../request/read-link-request.ts';
import {
  type ReadRequestOptions,
  readSignInRequest,
  type ServedRequest,
  type SignInRequest,
} from '../request/sign-in-request.ts';
import { deliverTokens, isDeliverable } from '../tokens/deliver-tokens.ts';
import type { Route } from './+types/magic.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const request = readRequest(url.searchParams, context.get(backendContext));
  return data(request, { status: request.kind === 'refused' ? 400 : 200 });
}

/** What can be done without a script: a session for this site itself is for the browser to keep. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const asked = readRequest(url.searchParams, backend);
  if (asked.kind === 'refused') return data(undefined, { status: 400 });
  const token = url.searchParams.get('token');
  if (token && asked.kind === 'hand-over') {
    return sendOnward(asked.handOver.redirectUrl, 'magic_token', token);
  }
  const fields = await readFields(request);
  const state = await takeStep(backend, asked, fields);
  if (!state) return data(undefined, { status: 400 });
  if (state.step === 'done' && isDeliverable(asked)) {
    return redirect(await deliverTokens(backend.client.auth, backend.projectId, asked), 303);
  }
  return data(state, { status: hasFaults(state.faults) ? 400 : 200 });
}

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription: description } = messagesOf(language).authMail.magic;
  return buildMetadata({ title, description, path: '/auth/magic', language, publicUrl, indexed: false });
}

export default function MagicLink({ loaderData: request, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const token = query.get('token');
  if (request.kind === 'refused') {
    return (
      <AuthFrame>
        <RefusedRequest reason={request.reason} />
      </AuthFrame>
    );
  }
  return token === null ? (
    <MailSignIn request={request} initial={actionData} />
  ) : (
    <SignInLink request={request} token={token} />
  );
}

/** With a token it is the link of a mail, else the page that asks for one. */
function readRequest(query: URLSearchParams, options: ReadRequestOptions): SignInRequest {
  return query.has('token') ? readLinkRequest(query, options) : readSignInRequest(query, options);
}

async function takeStep(
  { client: { auth } }: PageBackend,
  asked: ServedRequest,
  fields: FormData,
): Promise<MailFormState | undefined> {
  switch (fields.get('intent')) {
    case 'ask':
    case 'again':
      return askForLink(auth, asked, fields);
    case 'code':
      if (!isDeliverable(asked)) return undefined;
      return spendTypedCode(fields, ({ email, code }) => auth.verifyMagicCode(email, code));
    default:
      return undefined;
  }
}
