import { useEffect } from 'react';
import { data, Link, type ShouldRevalidateFunctionArgs, useNavigate, useSearchParams } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';
import type { Credentials, SignInView } from './check-credentials.ts';
import { handOverTokens } from './hand-over-tokens.ts';
import { readSignInRequest, type SignInRequest } from './read-request.ts';
import { RefusedRequest } from './refused-request.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function loader({ context, url }: Route.LoaderArgs) {
  const request = readSignInRequest(url.searchParams, context.get(backendContext));
  return data(request, { status: request.kind === 'refused' ? 400 : 200 });
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
  const title = loaderData?.kind === 'refused' ? m.refused.title : own;
  return buildMetadata({
    title,
    description: m.metaDescription,
    path: '/auth',
    language,
    publicUrl,
    indexed: false,
  });
}

export default function SignIn({ loaderData: request }: Route.ComponentProps) {
  return (
    <div className="page-width">
      <div className="mx-auto max-w-md py-14 sm:py-20">
        {request.kind === 'refused' ? (
          <RefusedRequest reason={request.reason} />
        ) : (
          <Entrance request={request} />
        )}
      </div>
    </div>
  );
}

function Entrance({ request }: { request: Exclude<SignInRequest, { kind: 'refused' }> }) {
  const { m } = useLanguage();
  const texts = m.signIn;
  const view = viewOf(useSearchParams()[0]);
  const enter = useEnter(request, view);
  const leaving = useGoOn(request);
  const lead = view === 'sign-up' ? texts.signUpLead : texts.lead;
  if (leaving) {
    return (
      <p role="status" className="text-lg text-muted">
        {texts.alreadySignedIn}
      </p>
    );
  }
  return (
    <>
      <h1 className="display-title">{view === 'sign-up' ? texts.signUpTitle : texts.title}</h1>
      <p className="mt-4 text-lg leading-relaxed text-muted">
        {request.kind === 'hand-over' ? texts.continueTo(new URL(request.handOver.redirectUrl).host) : lead}
      </p>
      <nav aria-label={texts.views} className="mt-8 mb-8 grid grid-cols-2 border-b border-hairline">
        <ViewLink to="sign-in" current={view}>
          {texts.signInTab}
        </ViewLink>
        <ViewLink to="sign-up" current={view}>
          {texts.signUpTab}
        </ViewLink>
      </nav>
      <SignInForm view={view} onEnter={enter} />
    </>
  );
}

/** Signs in here, or for the page that asked for it, which is then gone on to. */
function useEnter(request: SignInRequest, view: SignInView) {
  const client = useClient();
  return async ({ email, password, displayName }: Credentials) => {
    const act = (auth: typeof client.auth) =>
      view === 'sign-up'
        ? auth.signUp({ email, password, displayName: displayName || undefined })
        : auth.signInWithEmail(email, password);
    if (request.kind !== 'hand-over') await act(client.auth);
    else window.location.assign(await handOverTokens(client.projectId, request.handOver, act));
  };
}

/** Goes on as soon as somebody is signed in; tokens are handed to another page only after a sign-in for it. */
function useGoOn(request: SignInRequest): boolean {
  const { status } = useAuth();
  const navigate = useNavigate();
  const returnTo = request.kind === 'own' && status === 'authenticated' ? request.returnTo : undefined;
  useEffect(() => {
    if (returnTo !== undefined) void navigate(returnTo, { replace: true });
  }, [returnTo, navigate]);
  return returnTo !== undefined;
}

/** The other way in; what the page was asked for stays in the address. */
function ViewLink({ to, current, children }: { to: SignInView; current: SignInView; children: string }) {
  const [query] = useSearchParams();
  const next = new URLSearchParams(query);
  if (to === 'sign-up') next.set('view', to);
  else next.delete('view');
  return (
    <Link
      to={{ search: next.toString() }}
      replace
      preventScrollReset
      aria-current={to === current ? 'page' : undefined}
      className="-mb-px grid min-h-12 place-items-center border-b-2 border-transparent px-2 text-center text-[0.9375rem] font-medium text-muted transition-colors hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
    >
      {children}
    </Link>
  );
}

function viewOf(query: URLSearchParams): SignInView {
  return query.get('view') === 'sign-up' ? 'sign-up' : 'sign-in';
}
