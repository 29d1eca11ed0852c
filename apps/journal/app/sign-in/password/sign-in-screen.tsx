import { useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import { ForApp } from '../forms/for-app.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { OtherWays } from '../providers/other-methods.tsx';
import { type Failure, failureText } from '../providers/provider-failure.ts';
import { Departure } from '../providers/provider-redirect.tsx';
import { type ProviderChoice, providerName } from '../providers/providers.ts';
import { carryOn } from '../request/continuation-query.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { isDeliverable } from '../tokens/deliver-tokens.ts';
import type { SignInView } from './check-credentials.ts';
import { SignInForm } from './sign-in-form.tsx';
import type { SignInOutcome } from './sign-in-outcome.ts';
import { type Entering, useEntering } from './use-password-sign-in.ts';
import { VerifyStep } from './verify-step.tsx';
import { ViewTabs } from './view-tabs.tsx';

export interface EntranceProps {
  request: ServedRequest;
  view: SignInView;
  /** Host of the site that the sign-in is for; undefined for our own. */
  site: string | undefined;
  /** Those who vouch for readers here. */
  providers: readonly ProviderChoice[];
  /** The id of the one that the page was asked to go on to at once. */
  wanted: string | undefined;
  failure: Failure | undefined;
  outcome: SignInOutcome | undefined;
}

/** All the ways in, for whomever the sign-in is asked. */
export function Entrance({ outcome: initial, ...props }: EntranceProps) {
  const { request, view, providers, wanted, failure } = props;
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const entering = useEntering(request, view, initial);
  const leaving = useGoOn(request, entering.underWay);
  const { outcome } = entering;
  if (leaving) return <AuthPage title={m.signIn.title} lead={m.signIn.alreadySignedIn} />;
  if (outcome?.step === 'verify') {
    return (
      <VerifyStep
        email={outcome.typed.email}
        code={outcome.typed.code}
        complaints={outcome.complaints}
        onVerify={entering.verify}
        onAgain={entering.sendAgain}
        onOtherAddress={entering.changeAddress}
      />
    );
  }
  const destination = providers.find(({ id }) => id === wanted);
  if (destination && !failure && !outcome) {
    return (
      <Departure provider={destination} request={request} ready={request.kind !== 'own' || !isLoading} />
    );
  }
  return <Ways {...props} entering={entering} />;
}

function Ways({
  request,
  view,
  site,
  providers,
  wanted,
  failure,
  entering: { outcome, enter },
}: Omit<EntranceProps, 'outcome'> & { entering: Entering }) {
  const { m } = useLanguage();
  const texts = m.signIn;
  const [query] = useSearchParams();
  const newAccount = view === 'sign-up';
  const lead = site ? texts.continueTo(site) : newAccount ? texts.signUpLead : texts.lead;
  const isOffered = providers.some(({ id }) => id === wanted);
  const missing = wanted !== undefined && !isOffered ? providerName(wanted) : undefined;
  return (
    <AuthPage title={newAccount ? texts.signUpTitle : texts.title} lead={lead}>
      {request.kind === 'mobile-session' && <ForApp />}
      <FormAlert>{failure && failureText(failure, m)}</FormAlert>
      <FormAlert>{missing && texts.providers.notOffered(missing)}</FormAlert>
      {outcome?.verified && (
        <p role="status" className="mb-6 text-success">
          {texts.verified}
        </p>
      )}
      <ViewTabs current={view} />
      <SignInForm view={view} outcome={outcome} needsScript={!isDeliverable(request)} onEnter={enter} />
      {!newAccount && (
        <Link
          to={carryOn('/auth/forgot', query)}
          className="mt-3 inline-flex min-h-11 items-center text-[0.9375rem] text-muted underline underline-offset-4 hover:text-accent"
        >
          {texts.forgotten}
        </Link>
      )}
      <OtherWays request={request} providers={providers} />
    </AuthPage>
  );
}

/** Goes on as soon as somebody is signed in; tokens are handed to others only after a sign-in for them. */
function useGoOn(request: ServedRequest, underWay: Entering['underWay']): boolean {
  const { status } = useAuth();
  const navigate = useNavigate();
  const returnTo = request.kind === 'own' && status === 'authenticated' ? request.returnTo : undefined;
  useEffect(() => {
    if (returnTo !== undefined && !underWay.current) void navigate(returnTo, { replace: true });
  }, [returnTo, underWay, navigate]);
  return returnTo !== undefined;
}
