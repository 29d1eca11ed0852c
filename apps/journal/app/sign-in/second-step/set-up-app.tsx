import type { TotpSetUp } from '@fabrica/contract';
import { AppKey } from '../../factors/app-key.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { FactorForm, type StepForm } from './factor-form.tsx';
import type { StepState } from './step-state.ts';

/** Shows the key of the authenticator app and takes its first code. */
export function SetUpApp({ form, state, app }: { form: StepForm; state: StepState; app: TotpSetUp }) {
  const { m } = useLanguage();
  const texts = m.factors.app;
  const isBusy = form.busy === 'app';
  return (
    <div className="grid gap-8">
      <AppKey secret={app.secret} uri={app.uri} />
      <FactorForm
        intent="app"
        label={texts.code}
        error={formErrorText(state.errors.code, m)}
        busy={isBusy}
        submit={isBusy ? texts.confirming : texts.confirm}
        form={form}
      >
        {(['secret', 'uri', 'setUp'] as const).map((name) => (
          <input key={name} type="hidden" name={name} value={app[name]} />
        ))}
      </FactorForm>
    </div>
  );
}
