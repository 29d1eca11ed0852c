import '../../language/member-messages.ts';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { RefusedPage } from '../forms/auth-page.tsx';
import { clientErrorCode } from '../forms/form-errors.ts';
import { Completion } from '../providers/completion.tsx';
import { toSignInFailure } from '../providers/sign-in-failure.ts';
import { readSignInTarget } from '../target/sign-in-target.ts';
import { readResult, SignInResultPage } from '../tokens/sign-in-result.tsx';
import { type SigningIn, signIn } from '../tokens/signing-in.ts';
import { signingInHere } from '../tokens/signing-in-here.ts';
import { signingInOnServer } from '../tokens/signing-in-on-server.ts';
import type { Route } from './+types/complete.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const target = readSignInTarget(url.searchParams, context.get(backendContext));
  return data(target, { status: target.kind === 'refused' ? 400 : 200 });
}

export async function action({ context, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const { searchParams: query } = url;
  return complete(signingInOnServer(backend, readSignInTarget(query, backend), query));
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return complete(signingInHere(new URL(request.url)));
}

/** Completes the sign-in by the code of the page's URL. */
async function complete(signingIn: SigningIn | undefined) {
  const code = signingIn?.query.get('code');
  if (!signingIn || !code) return data(undefined, { status: 400 });
  try {
    return await signIn(signingIn, (auth) => auth.completeSignIn(code));
  } catch (error) {
    if (!clientErrorCode(error)) signingIn.reportFailure(error);
    return data({ failure: toSignInFailure(error) }, { status: 400 });
  }
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/complete', ({ signIn }) => signIn);
}

/** Completes the sign-in that a provider redirects here, and shows the result of a sign-in for an app or a popup. */
export default function CompleteSignInRoute({ loaderData: target, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const result = readResult(query);
  if (result) return <SignInResultPage result={result} />;
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  return <Completion target={target} code={query.get('code')} sent={actionData} />;
}
