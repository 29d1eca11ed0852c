import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { useActionForm } from '../../ui/use-action-form.ts';
import { AppWarning, AuthPage, FormAlert } from '../forms/auth-page.tsx';
import { focusFirstError } from '../forms/form-errors.ts';
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
import { SignInForm, type SignInFormProps } from './sign-in-form.tsx';
import { VerifyStep } from './verify-step.tsx';
import { ViewTabs } from './view-tabs.tsx';

interface SignInScreenProps {
  target: SignInTarget;
  view: SignInView;
  /** The host of the site that the sign-in is for; undefined for this site. */
  site: string | undefined;
  providers: readonly ProviderChoice[];
  /** The id of the provider that the URL asks for. */
  wanted: string | undefined;
  failure: SignInFailure | undefined;
  /** The result of a form that was sent without JavaScript. */
  sent: SignInOutcome | undefined;
}

/** Offers all methods of signing in, one after the other or at once, for every target. */
export function SignInScreen({ sent, ...props }: SignInScreenProps) {
  const { target, view, providers, wanted, failure } = props;
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const form = useActionForm<SignInOutcome>(
    sent,
    ({ errors }, element) => element && focusFirstError(element, errors),
  );
  /** What was typed on this page, for the sign-in after the verification of the email. */
  const [password, setPassword] = useState('');
  const isLeaving = useReturnWhenSignedIn(target, form.busy !== undefined);
  // The errors of a sign-in do not apply to a sign-up.
  const outcome = form.result?.view === view ? form.result : undefined;
  if (isLeaving) return <AuthPage title={m.signIn.title} lead={m.signIn.alreadySignedIn} />;
  if (outcome?.step === 'verify') {
    const changeEmail = () => form.show({ ...outcome, errors: {}, step: 'credentials', verified: false });
    return <VerifyStep {...{ outcome, form, password, changeEmail }} />;
  }
  const provider = providers.find(({ id }) => id === wanted);
  if (provider && !failure && !outcome) {
    return (
      <ProviderRedirect provider={provider} target={target} ready={target.kind !== 'own' || !isLoading} />
    );
  }
  return <SignInMethods {...props} {...{ outcome, form }} onPassword={setPassword} />;
}

function SignInMethods({
  target,
  view,
  site,
  providers,
  wanted,
  failure,
  outcome,
  form,
  onPassword,
}: Omit<SignInScreenProps, 'sent'> & Omit<SignInFormProps, 'needsScript'>) {
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
      <SignInForm {...{ view, outcome, form, onPassword }} needsScript={!worksWithoutScript(target)} />
      {!newAccount && (
        <Link
          to={withTarget('/auth/forgot', query)}
          className="mt-3 inline-flex min-h-11 items-center text-[0.9375rem] text-muted underline underline-offset-4 hover:text-accent"
        >
          {texts.forgotten}
        </Link>
      )}
      <OtherMethods target={target} providers={providers}>
        {!newAccount && <PasskeySignIn form={form} error={outcome?.errors.passkey} />}
      </OtherMethods>
    </AuthPage>
  );
}

/**
 * Navigates to the return path as soon as the reader is signed in. Other targets receive tokens only after a sign-in
 * that was made for them. A form that is being sent leads on by itself.
 */
function useReturnWhenSignedIn(target: SignInTarget, isSending: boolean): boolean {
  const { status } = useAuth();
  const navigate = useNavigate();
  const returnTo = target.kind === 'own' && status === 'authenticated' ? target.returnTo : undefined;
  useEffect(() => {
    if (returnTo !== undefined && !isSending) void navigate(returnTo, { replace: true });
  }, [returnTo, isSending, navigate]);
  return returnTo !== undefined;
}
