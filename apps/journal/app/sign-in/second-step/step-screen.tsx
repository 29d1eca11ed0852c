import { KeyRound } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { usePasskeySupport } from '../../factors/passkey.ts';
import { RecoveryCodes } from '../../factors/recovery-codes.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { AppWarning, AuthPage, FormAlert, LargeLink } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { FactorForm } from './factor-form.tsx';
import { SetUpApp } from './set-up-app.tsx';
import type { StepState } from './step-state.ts';
import { type SecondStep, useSecondStep } from './use-second-step.ts';

export interface StepScreenProps {
  target: SignInTarget;
  initial: StepState;
}

/** Takes the second step of a sign-in, or sets the first factor up where the role has to have one. */
export function StepScreen({ target, initial }: StepScreenProps) {
  const { m } = useLanguage();
  const step = useSecondStep(target, initial);
  const { state } = step;
  if (state.recoveryCodes) {
    return <NewRecoveryCodes target={target} step={step} codes={state.recoveryCodes} />;
  }
  if (!state.step) return <OverStep />;
  const asked = state.step.methods.includes('mail-code') ? m.factors.link : m.factors.step;
  const texts = state.step.setUp ? m.factors.setUp : asked;
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      {target.kind === 'mobile-session' && <AppWarning />}
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      {state.step.setUp ? <SetUpStep target={target} step={step} /> : <AskStep step={step} />}
    </AuthPage>
  );
}

/** Says that there is nothing to go on with. */
export function OverStep() {
  const { m } = useLanguage();
  const texts = m.factors.step;
  const [query] = useSearchParams();
  return (
    <AuthPage title={texts.overTitle} lead={texts.over}>
      <LargeLink to={withTarget('/auth', query)}>{texts.again}</LargeLink>
    </AuthPage>
  );
}

function AskStep({ step }: { step: SecondStep }) {
  const { m } = useLanguage();
  const methods = step.state.step?.methods ?? [];
  const { code, codeHint, recoveryCode, recoveryHint, link, step: texts } = m.factors;
  const [label, hint] = methods.includes('mail-code')
    ? [link.code, link.codeHint]
    : methods.includes('totp')
      ? [code, codeHint]
      : [recoveryCode, recoveryHint];
  return (
    <div className="grid gap-8">
      {methods.includes('passkey') && <PasskeyButton step={step} label={m.factors.usePasskey} />}
      <FactorForm
        intent="code"
        label={label}
        hint={hint}
        error={formErrorText(step.state.errors.code, m)}
        busy={step.busy === 'code'}
        submit={step.busy === 'code' ? texts.signingIn : texts.signIn}
        onSubmit={step.showCode}
        autoFocus={!methods.includes('passkey')}
      />
    </div>
  );
}

function SetUpStep({ target, step }: { target: SignInTarget; step: SecondStep }) {
  const { m } = useLanguage();
  const texts = m.factors.setUp;
  if (step.state.app) return <SetUpApp step={step} app={step.state.app} />;
  return (
    <div className="grid gap-10">
      <section className="grid gap-3 unscripted:hidden">
        <h2 className="font-serif text-2xl">{texts.passkeyTitle}</h2>
        <p className="leading-relaxed text-muted">{texts.passkeyLead}</p>
        <PasskeyButton step={step} label={texts.makePasskey} />
      </section>
      <section className="grid gap-3">
        <h2 className="font-serif text-2xl">{texts.appTitle}</h2>
        <p className="leading-relaxed text-muted">{texts.appLead}</p>
        <form
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            void step.beginApp();
          }}
          // Without JavaScript, the recovery codes can be shown on this site alone.
          className={target.kind === 'own' ? undefined : 'unscripted:hidden'}
        >
          <input type="hidden" name="intent" value="begin-app" />
          <Button
            type="submit"
            variant="outline"
            size="large"
            busy={step.busy === 'begin-app'}
            className="w-full"
          >
            {step.busy === 'begin-app' ? texts.starting : texts.useApp}
          </Button>
        </form>
      </section>
    </div>
  );
}

function PasskeyButton({ step, label }: { step: SecondStep; label: string }) {
  const { m } = useLanguage();
  const isSupported = usePasskeySupport();
  if (!isSupported) return <p className="text-muted">{m.factors.unsupported}</p>;
  const isBusy = step.busy === 'passkey';
  return (
    <Button
      size="large"
      busy={isBusy}
      onClick={() => void step.showPasskey()}
      className="w-full unscripted:hidden"
    >
      <KeyRound aria-hidden="true" className="size-[1.125rem] shrink-0" />
      {isBusy ? m.factors.waiting : label}
    </Button>
  );
}

/** Shows the recovery codes. Without JavaScript, the session is kept by now, and a link leads on. */
function NewRecoveryCodes({
  target,
  step,
  codes,
}: {
  target: SignInTarget;
  step: SecondStep;
  codes: readonly string[];
}) {
  const { m } = useLanguage();
  const texts = m.factors.recovery;
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <div className="grid gap-6">
        <RecoveryCodes codes={codes} />
        {step.state.isSignedIn ? (
          <Link
            to={target.kind === 'own' ? target.returnTo : '/gallery'}
            reloadDocument
            className={`${buttonClass({ size: 'large' })} w-full`}
          >
            {texts.done}
          </Link>
        ) : (
          <Button size="large" onClick={step.goOn} className="w-full">
            {texts.done}
          </Button>
        )}
      </div>
    </AuthPage>
  );
}
