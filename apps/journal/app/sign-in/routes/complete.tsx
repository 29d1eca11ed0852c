import '../../language/member-messages.ts';
import { readSecondStep } from '@fabrica/client';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { RefusedPage } from '../forms/auth-page.tsx';
import { clientErrorCode } from '../forms/form-errors.ts';
import { Completion } from '../providers/completion.tsx';
import { toSignInFailure } from '../providers/sign-in-failure.ts';
import { redirectToStep } from '../second-step/step-cookie.ts';
import { readSignInTarget } from '../target/sign-in-target.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { finishOnServer } from '../tokens/finish-on-server.ts';
import { readResult, SignInResultPage } from '../tokens/sign-in-result.tsx';
import type { Route } from './+types/complete.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const target = readSignInTarget(url.searchParams, context.get(backendContext));
  return data(target, { status: target.kind === 'refused' ? 400 : 200 });
}

/** Completes the sign-in without JavaScript. */
export async function action({ context, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const target = readSignInTarget(url.searchParams, backend);
  const code = url.searchParams.get('code');
  if (target.kind === 'refused' || !worksWithoutScript(target) || !code) {
    return data(undefined, { status: 400 });
  }
  try {
    await backend.client.auth.completeSignIn(code);
    return await finishOnServer(backend, target);
  } catch (error) {
    const step = readSecondStep(error);
    if (step) return redirectToStep(backend, step, url.searchParams);
    if (!clientErrorCode(error)) backend.reportFailure(error);
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
  return <Completion target={target} code={query.get('code')} failure={actionData?.failure} />;
}
