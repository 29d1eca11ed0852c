import type { SecondStepDetails } from '@fabrica/contract';
import { KeyRound } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { createPasskey, getPasskey, usePasskeySupport } from '../../factors/passkey.ts';
import { RecoveryCodes } from '../../factors/recovery-codes.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { useActionForm } from '../../ui/use-action-form.ts';
import { useBusy } from '../../ui/use-busy.ts';
import { AppWarning, AuthPage, FormAlert, LargeLink } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { FactorForm, type StepForm } from './factor-form.tsx';
import { SetUpApp } from './set-up-app.tsx';
import { failedState, type StepState } from './step-state.ts';

interface StepScreenProps {
  target: SignInTarget;
  /** The second step that the sign-in asked for. */
  step: SecondStepDetails | undefined;
  /** The result of a form that was sent without JavaScript. */
  sent: StepState | undefined;
}

/** Takes the second step of a sign-in, or sets the first factor up where the role has to have one. */
export function StepScreen({ target, step, sent }: StepScreenProps) {
  const { m } = useLanguage();
  const form = useActionForm<StepState>(sent);
  const state = form.result ?? { step, errors: {} };
  if (state.recoveryCodes) return <NewRecoveryCodes form={form} codes={state.recoveryCodes} />;
  if (!state.step) return <OverStep />;
  const asked = state.step.methods.includes('mail-code') ? m.factors.link : m.factors.step;
  const texts = state.step.setUp ? m.factors.setUp : asked;
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      {target.kind === 'mobile-session' && <AppWarning />}
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      {state.step.setUp ? (
        <SetUpStep target={target} form={form} state={state} />
      ) : (
        <AskStep form={form} state={state} />
      )}
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

interface StepPartProps {
  form: StepForm;
  state: StepState;
}

function AskStep({ form, state }: StepPartProps) {
  const { m } = useLanguage();
  const methods = state.step?.methods ?? [];
  const { code, codeHint, recoveryCode, recoveryHint, link, step: texts } = m.factors;
  const [label, hint] = methods.includes('mail-code')
    ? [link.code, link.codeHint]
    : methods.includes('totp')
      ? [code, codeHint]
      : [recoveryCode, recoveryHint];
  return (
    <div className="grid gap-8">
      {methods.includes('passkey') && (
        <PasskeyButton form={form} state={state} label={m.factors.usePasskey} />
      )}
      <FactorForm
        intent="code"
        label={label}
        hint={hint}
        error={formErrorText(state.errors.code, m)}
        busy={form.busy === 'code'}
        submit={form.busy === 'code' ? texts.signingIn : texts.signIn}
        form={form}
        autoFocus={!methods.includes('passkey')}
      />
    </div>
  );
}

function SetUpStep({ target, form, state }: StepPartProps & { target: SignInTarget }) {
  const { m } = useLanguage();
  const texts = m.factors.setUp;
  const { Form, props, busy } = form;
  if (state.app) return <SetUpApp form={form} state={state} app={state.app} />;
  return (
    <div className="grid gap-10">
      <section className="grid gap-3 unscripted:hidden">
        <h2 className="font-serif text-2xl">{texts.passkeyTitle}</h2>
        <p className="leading-relaxed text-muted">{texts.passkeyLead}</p>
        <PasskeyButton form={form} state={state} label={texts.makePasskey} />
      </section>
      <section className="grid gap-3">
        <h2 className="font-serif text-2xl">{texts.appTitle}</h2>
        <p className="leading-relaxed text-muted">{texts.appLead}</p>
        <Form
          {...props}
          // Without JavaScript, the recovery codes can be shown on this site alone.
          className={target.kind === 'own' ? undefined : 'unscripted:hidden'}
        >
          <input type="hidden" name="intent" value="begin-app" />
          <Button type="submit" variant="outline" size="large" busy={busy === 'begin-app'} className="w-full">
            {busy === 'begin-app' ? texts.starting : texts.useApp}
          </Button>
        </Form>
      </section>
    </div>
  );
}

/** Shows a passkey, or makes the first one. */
function PasskeyButton({ form, state, label }: StepPartProps & { label: string }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const isSupported = usePasskeySupport();
  const { busy, run } = useBusy<'passkey'>((error) => form.show(failedState(state, error, true)));
  const { ticket = '', setUp } = state.step ?? {};
  const ask = () =>
    run('passkey', async () => {
      form.show({ ...state, errors: {} });
      const credential = setUp
        ? await createPasskey(await auth.beginPasskey({ ticket }))
        : await getPasskey(await auth.secondStepOptions(ticket));
      form.send({ intent: 'passkey', credential: JSON.stringify(credential) });
    });
  if (!isSupported) return <p className="text-muted">{m.factors.unsupported}</p>;
  const isBusy = busy !== undefined || form.busy === 'passkey';
  return (
    <Button size="large" busy={isBusy} onClick={() => void ask()} className="w-full unscripted:hidden">
      <KeyRound aria-hidden="true" className="size-[1.125rem] shrink-0" />
      {isBusy ? m.factors.waiting : label}
    </Button>
  );
}

/** Shows the recovery codes, once. The session waits until they are kept. */
function NewRecoveryCodes({ form, codes }: { form: StepForm; codes: readonly string[] }) {
  const { m } = useLanguage();
  const texts = m.factors.recovery;
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <div className="grid gap-6">
        <RecoveryCodes codes={codes} />
        <form.Form {...form.props}>
          <input type="hidden" name="intent" value="go-on" />
          <Button type="submit" size="large" className="w-full">
            {texts.done}
          </Button>
        </form.Form>
      </div>
    </AuthPage>
  );
}
