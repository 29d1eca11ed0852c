import '../../language/member-messages.ts';
import { data, redirect, type ShouldRevalidateFunctionArgs, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { RefusedPage } from '../forms/auth-page.tsx';
import { readFormData } from '../forms/form-fields.ts';
import { submitSignIn } from '../password/sign-in-action.ts';
import { SignInScreen } from '../password/sign-in-screen.tsx';
import { viewOf } from '../password/view-tabs.tsx';
import { FailedPopup } from '../providers/failed-popup.tsx';
import { parseFailure } from '../providers/sign-in-failure.ts';
import { readSignInTarget, targetHost } from '../target/sign-in-target.ts';
import { signingInHere } from '../tokens/signing-in-here.ts';
import { signingInOnServer } from '../tokens/signing-in-on-server.ts';
import type { Route } from './+types/sign-in.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const target = readSignInTarget(url.searchParams, backend);
  if (target.kind === 'refused') return data({ target, providers: [] }, { status: 400 });
  // In the browser, the page itself goes on as soon as it knows that the reader is signed in.
  if (target.kind === 'own' && backend.session.tokens) throw redirect(target.returnTo);
  return data({ target, providers: backend.providers });
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const { searchParams: query } = url;
  const signingIn = signingInOnServer(backend, readSignInTarget(query, backend), query);
  return submitSignIn(signingIn, viewOf(query), await readFormData(request));
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const url = new URL(request.url);
  return submitSignIn(signingInHere(url), viewOf(url.searchParams), await request.formData());
}

/** The loader returns the same data for signing in and signing up. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return viewOf(currentUrl.searchParams) === viewOf(nextUrl.searchParams) && defaultShouldRevalidate;
}

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const isSignUp = viewOf(new URLSearchParams(location.search)) === 'sign-up';
  return buildUnlisted(matches, '/auth', ({ signIn: { title, signUpTitle, refused, metaDescription } }) => {
    const viewTitle = isSignUp ? signUpTitle : title;
    return { title: loaderData?.target.kind === 'refused' ? refused.title : viewTitle, metaDescription };
  });
}

export default function SignInRoute({ loaderData, actionData, matches }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const { target, providers } = loaderData;
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  const error = query.get('error');
  const failure = error === null ? undefined : parseFailure(error);
  if (target.kind === 'popup' && failure) return <FailedPopup target={target} failure={failure} />;
  const wanted = query.get('provider') ?? undefined;
  return (
    <SignInScreen
      target={target}
      view={viewOf(query)}
      site={targetHost(target, matches[0].loaderData.publicUrl)}
      providers={providers}
      wanted={wanted === 'email' ? undefined : wanted}
      failure={failure}
      sent={actionData}
    />
  );
}
