import '../../language/member-messages.ts';
import { useState } from 'react';
import { data } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { AuthPage, RefusedPage } from '../forms/auth-page.tsx';
import { readFormData } from '../forms/form-fields.ts';
import { takeStep } from '../second-step/step-action.ts';
import { readStepCookie } from '../second-step/step-cookie.ts';
import { OverStep, StepScreen } from '../second-step/step-screen.tsx';
import { readSignInTarget } from '../target/sign-in-target.ts';
import { readHeldStep, signingInHere } from '../tokens/signing-in-here.ts';
import { signingInOnServer } from '../tokens/signing-in-on-server.ts';
import type { Route } from './+types/step.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const target = readSignInTarget(url.searchParams, backend);
  return data({ target, step: readStepCookie(backend) }, { status: target.kind === 'refused' ? 400 : 200 });
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const { searchParams: query } = url;
  const signingIn = signingInOnServer(backend, readSignInTarget(query, backend), query);
  return takeStep(signingIn, await readFormData(request));
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return takeStep(signingInHere(new URL(request.url)), await request.formData());
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/step', ({ factors }) => factors.step);
}

/** Takes the second step of a sign-in. Its ticket is held by this tab, or by a cookie without JavaScript. */
export default function SecondStepRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const { target } = loaderData;
  const [step, setStep] = useState(loaderData.step);
  // The server does not know what the tab holds, so the browser looks at it once the page is hydrated.
  const held = step || isLoading ? undefined : readHeldStep();
  if (held) setStep(held);
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  if (actionData ?? step) return <StepScreen target={target} step={step} sent={actionData} />;
  if (!isLoading) return <OverStep />;
  return (
    <>
      <div className="unscripted:hidden">
        <AuthPage title={m.factors.step.title} lead={m.signIn.complete.wait} />
      </div>
      <noscript>
        <OverStep />
      </noscript>
    </>
  );
}
