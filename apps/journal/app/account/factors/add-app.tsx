import type { TotpSetUp } from '@fabrica/contract';
import { Suspense, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { loadLater } from '../../ui/load-later.ts';
import { TextField } from '../../ui/text-field.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import type { AddFactorProps } from './add-passkey.tsx';
import { ProvenButton } from './proven-button.tsx';

/** The QR code is drawn by a library that this page needs for nothing else. */
const AppKey = loadLater(async () => (await import('../../factors/app-key.tsx')).AppKey);

/** Sets an authenticator app up: after a proof, its key is shown, and then it shows a first code. */
export function AddApp({
  proofs,
  replaces,
  onAdded,
}: AddFactorProps & {
  /** Whether the account has an app, which the new one replaces. */
  replaces: boolean;
}) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const [app, setApp] = useState<TotpSetUp>();
  const label = replaces ? texts.replaceApp : texts.addApp;
  return (
    <>
      <ProvenButton
        fields={{ intent: 'begin-app' }}
        button={{ variant: 'outline', children: label }}
        proofs={proofs}
        title={label}
        description={texts.addAppLead}
        confirm={texts.goOn}
        busy={m.factors.setUp.starting}
        onDone={(result) => setApp(result.app)}
      />
      {app && (
        <ConfirmApp
          app={app}
          title={label}
          onClose={() => setApp(undefined)}
          onAdded={(added) => {
            setApp(undefined);
            onAdded(added);
          }}
        />
      )}
    </>
  );
}

interface ConfirmAppProps extends Pick<AddFactorProps, 'onAdded'> {
  app: TotpSetUp;
  title: string;
  onClose(): void;
}

function ConfirmApp({ app, title, onClose, onAdded }: ConfirmAppProps) {
  const { m } = useLanguage();
  const texts = m.factors.app;
  const { Form, props, result, isBusy, errorOf } = useAccountForm(({ added }) => added && onAdded(added));
  return (
    <Dialog
      open
      onOpenChange={(next) => next || isBusy || onClose()}
      title={title}
      description={m.factors.setUp.appLead}
    >
      <Form {...props} className="grid w-full gap-6">
        <input type="hidden" name="intent" value="add-app" />
        <input type="hidden" name="setUp" value={app.setUp} />
        <Suspense fallback={<div className="skeleton h-72" />}>
          <AppKey secret={app.secret} uri={app.uri} />
        </Suspense>
        <TextField
          label={texts.code}
          error={errorOf('code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          readOnly={isBusy}
        />
        <FormMessage result={result} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={isBusy} onClick={onClose}>
            {m.account.cancel}
          </Button>
          <Button type="submit" busy={isBusy}>
            {isBusy ? texts.confirming : texts.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
