import { isAuthErrorCode } from '@fabrica/contract';
import { data, type ShouldRevalidateFunctionArgs, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { AuthFrame } from '../forms/auth-page.tsx';
import { readFields } from '../forms/read-fields.ts';
import { RefusedRequest } from '../forms/refused-request.tsx';
import { answerForm } from '../password/sign-in-action.ts';
import { Entrance } from '../password/sign-in-screen.tsx';
import { viewOf } from '../password/view-tabs.tsx';
import { FailedPopup } from '../providers/failed-popup.tsx';
import type { Failure } from '../providers/provider-failure.ts';
import { readSignInRequest, siteOf } from '../request/sign-in-request.ts';
import type { Route } from './+types/sign-in.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const request = readSignInRequest(url.searchParams, backend);
  if (request.kind === 'refused') return data({ request, providers: [] }, { status: 400 });
  return data({ request, providers: backend.providers });
}

/** A form that was sent without a script. */
export async function action({ context, request: sent, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const request = readSignInRequest(url.searchParams, backend);
  if (request.kind === 'refused') return data(undefined, { status: 400 });
  return answerForm(backend, { request, view: viewOf(url.searchParams), fields: await readFields(sent) });
}

/** The server has nothing to say of a mere change from sign-in to sign-up. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return viewOf(currentUrl.searchParams) === viewOf(nextUrl.searchParams) && defaultShouldRevalidate;
}

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const m = messagesOf(language).signIn;
  const own = viewOf(new URLSearchParams(location.search)) === 'sign-up' ? m.signUpTitle : m.title;
  const title = loaderData?.request.kind === 'refused' ? m.refused.title : own;
  return buildMetadata({
    title,
    description: m.metaDescription,
    path: '/auth',
    language,
    publicUrl,
    indexed: false,
  });
}

export default function SignIn({ loaderData, actionData, matches }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const { request, providers } = loaderData;
  if (request.kind === 'refused') {
    return (
      <AuthFrame>
        <RefusedRequest reason={request.reason} />
      </AuthFrame>
    );
  }
  const failure = readFailure(query);
  if (request.kind === 'popup' && failure) return <FailedPopup request={request} failure={failure} />;
  const wanted = query.get('provider') ?? undefined;
  return (
    <Entrance
      request={request}
      view={viewOf(query)}
      site={siteOf(request, matches[0].loaderData.publicUrl)}
      providers={providers}
      wanted={wanted === 'email' ? undefined : wanted}
      failure={failure}
      outcome={actionData}
    />
  );
}

function readFailure(query: URLSearchParams): Failure | undefined {
  const code = query.get('error');
  if (code === null) return undefined;
  return isAuthErrorCode(code) ? code : 'default';
}
