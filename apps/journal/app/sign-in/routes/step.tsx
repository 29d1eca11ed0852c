import '../../language/member-messages.ts';
import type { SecondStepDetails } from '@fabrica/contract';
import { data, useLocation } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { AuthPage, RefusedPage } from '../forms/auth-page.tsx';
import { readFormData } from '../forms/form-fields.ts';
import { takeStepOnServer } from '../second-step/step-action.ts';
import { readStepCookie } from '../second-step/step-cookie.ts';
import { OverStep, StepScreen } from '../second-step/step-screen.tsx';
import { readSignInTarget } from '../target/sign-in-target.ts';
import type { Route } from './+types/step.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const backend = context.get(backendContext);
  const target = readSignInTarget(url.searchParams, backend);
  return data({ target, step: readStepCookie(backend) }, { status: target.kind === 'refused' ? 400 : 200 });
}

/** Handles a form that was sent without JavaScript. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const target = readSignInTarget(url.searchParams, backend);
  if (target.kind === 'refused') return data(undefined, { status: 400 });
  return takeStepOnServer(backend, target, await readFormData(request));
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/step', ({ factors }) => factors.step);
}

/** Takes the second step of a sign-in. Its ticket is in the history's entry, or in a cookie without JavaScript. */
export default function SecondStepRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const { state } = useLocation();
  const { target } = loaderData;
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  if (actionData) return <StepScreen target={target} initial={actionData} />;
  // The server does not know the history's entry, so the browser looks at it once the page is hydrated.
  const given = (state as { step?: SecondStepDetails } | null)?.step;
  const step = loaderData.step ?? (isLoading ? undefined : given);
  if (step) return <StepScreen target={target} initial={{ step, errors: {} }} />;
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
