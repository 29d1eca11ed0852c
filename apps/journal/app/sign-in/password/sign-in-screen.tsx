import { useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { AppWarning, AuthPage, FormAlert } from '../forms/auth-page.tsx';
import { OtherMethods } from '../providers/other-methods.tsx';
import { PasskeySignIn } from '../providers/passkey-sign-in.tsx';
import { ProviderRedirect } from '../providers/provider-redirect.tsx';
import { type ProviderChoice, providerName } from '../providers/providers.ts';
import { type SignInFailure, signInFailureText } from '../providers/sign-in-failure.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import type { SignInOutcome } from './sign-in-action.ts';
import type { SignInView } from './sign-in-fields.ts';
import { SignInForm } from './sign-in-form.tsx';
import { type PasswordSignIn, usePasswordSignIn } from './use-password-sign-in.ts';
import { VerifyStep } from './verify-step.tsx';
import { ViewTabs } from './view-tabs.tsx';

export interface SignInScreenProps {
  target: SignInTarget;
  view: SignInView;
  /** The host of the site that the sign-in is for; undefined for this site. */
  site: string | undefined;
  providers: readonly ProviderChoice[];
  /** The id of the provider that the URL asks for. */
  wanted: string | undefined;
  failure: SignInFailure | undefined;
  outcome: SignInOutcome | undefined;
}

/** Offers all methods of signing in, one after the other or at once, for every target. */
export function SignInScreen({ outcome: initial, ...props }: SignInScreenProps) {
  const { target, view, providers, wanted, failure } = props;
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const signIn = usePasswordSignIn(target, view, initial);
  const isLeaving = useReturnWhenSignedIn(target, signIn.isFinishing);
  const { outcome } = signIn;
  if (isLeaving) return <AuthPage title={m.signIn.title} lead={m.signIn.alreadySignedIn} />;
  if (outcome?.step === 'verify') {
    return (
      <VerifyStep
        outcome={outcome}
        onVerify={signIn.verify}
        onResend={signIn.resend}
        changeEmail={signIn.changeEmail}
      />
    );
  }
  const provider = providers.find(({ id }) => id === wanted);
  if (provider && !failure && !outcome) {
    return (
      <ProviderRedirect provider={provider} target={target} ready={target.kind !== 'own' || !isLoading} />
    );
  }
  return <SignInMethods {...props} signIn={signIn} />;
}

function SignInMethods({
  target,
  view,
  site,
  providers,
  wanted,
  failure,
  signIn: { outcome, signIn, finish },
}: Omit<SignInScreenProps, 'outcome'> & { signIn: PasswordSignIn }) {
  const { m } = useLanguage();
  const texts = m.signIn;
  const [query] = useSearchParams();
  const newAccount = view === 'sign-up';
  const signUpLead = useSendsMail() ? `${texts.signUpLead} ${texts.signUpMail}` : texts.signUpLead;
  const lead = site ? texts.continueTo(site) : newAccount ? signUpLead : texts.lead;
  const isOffered = providers.some(({ id }) => id === wanted);
  const missing = wanted !== undefined && !isOffered ? providerName(wanted) : undefined;
  return (
    <AuthPage title={newAccount ? texts.signUpTitle : texts.title} lead={lead}>
      {target.kind === 'mobile-session' && <AppWarning />}
      <FormAlert>{failure && signInFailureText(failure, m)}</FormAlert>
      <FormAlert>{missing && texts.providers.notOffered(missing)}</FormAlert>
      {outcome?.verified && (
        <p role="status" className="mb-6 text-success">
          {texts.verified}
        </p>
      )}
      <ViewTabs current={view} />
      <SignInForm view={view} outcome={outcome} needsScript={!worksWithoutScript(target)} onSignIn={signIn} />
      {!newAccount && (
        <Link
          to={withTarget('/auth/forgot', query)}
          className="mt-3 inline-flex min-h-11 items-center text-[0.9375rem] text-muted underline underline-offset-4 hover:text-accent"
        >
          {texts.forgotten}
        </Link>
      )}
      <OtherMethods target={target} providers={providers}>
        {!newAccount && <PasskeySignIn finish={finish} />}
      </OtherMethods>
    </AuthPage>
  );
}

/**
 * Navigates to the return path as soon as the reader is signed in. Other targets receive tokens only after a sign-in
 * that was made for them.
 */
function useReturnWhenSignedIn(target: SignInTarget, isFinishing: PasswordSignIn['isFinishing']): boolean {
  const { status } = useAuth();
  const navigate = useNavigate();
  const returnTo = target.kind === 'own' && status === 'authenticated' ? target.returnTo : undefined;
  useEffect(() => {
    if (returnTo !== undefined && !isFinishing.current) void navigate(returnTo, { replace: true });
  }, [returnTo, isFinishing, navigate]);
  return returnTo !== undefined;
}
