import { data, redirect, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { AuthFrame } from '../forms/auth-page.tsx';
import { errorCode } from '../forms/error-code.ts';
import { RefusedRequest } from '../forms/refused-request.tsx';
import { Completion } from '../providers/completion.tsx';
import { type Failure, failureOf } from '../providers/provider-failure.ts';
import { readSignInRequest } from '../request/sign-in-request.ts';
import { deliverTokens, isDeliverable } from '../tokens/deliver-tokens.ts';
import { readEnding } from '../tokens/endings.ts';
import { SignInEnding } from '../tokens/sign-in-result.tsx';
import type { Route } from './+types/complete.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const request = readSignInRequest(url.searchParams, context.get(backendContext));
  return data(request, { status: request.kind === 'refused' ? 400 : 200 });
}

/** Ends the sign-in of a page or an app where no script does. */
export async function action({ context, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const request = readSignInRequest(url.searchParams, backend);
  const code = url.searchParams.get('code');
  if (request.kind === 'refused' || !isDeliverable(request) || !code) {
    return data(undefined, { status: 400 });
  }
  const { client, projectId } = backend;
  try {
    await client.auth.completeSignIn(code);
    return redirect(await deliverTokens(client.auth, projectId, request), 303);
  } catch (error) {
    const failure: Failure = failureOf(error);
    if (!errorCode(error)) backend.reportFailure(error);
    return data({ failure }, { status: 400 });
  }
}

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription: description } = messagesOf(language).signIn;
  return buildMetadata({ title, description, path: '/auth/complete', language, publicUrl, indexed: false });
}

/** Where a provider's sign-in comes back to, and where a sign-in for somebody else ends. */
export default function CompleteSignIn({ loaderData: request, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const ending = readEnding(query);
  if (ending) return <SignInEnding ending={ending} />;
  if (request.kind === 'refused') {
    return (
      <AuthFrame>
        <RefusedRequest reason={request.reason} />
      </AuthFrame>
    );
  }
  return <Completion request={request} code={query.get('code')} failure={actionData?.failure} />;
}
