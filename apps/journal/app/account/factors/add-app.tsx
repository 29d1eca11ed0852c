import type { FactorInfo, TotpSetUp } from '@fabrica/contract';
import { type FormEvent, Suspense, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { clientErrorCode } from '../../sign-in/forms/form-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { loadLater } from '../../ui/load-later.ts';
import { TextField } from '../../ui/text-field.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { fieldError, useFocusInvalidField, useTask } from '../task/use-task.ts';
import type { AddFactorProps } from './add-passkey.tsx';
import { ProvenDialog } from './proven-dialog.tsx';

/** The QR code is drawn by a library that this page needs for nothing else. */
const AppKey = loadLater(async () => (await import('../../factors/app-key.tsx')).AppKey);

/** Sets an authenticator app up: after a proof, its key is shown, and then it shows a first code. */
export function AddApp({
  user,
  proofs,
  replaces,
  onAdded,
}: AddFactorProps & {
  /** Whether the account has an app, which the new one replaces. */
  replaces: boolean;
}) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const { auth } = useClient();
  const [open, setOpen] = useState(false);
  const [app, setApp] = useState<TotpSetUp>();
  const label = replaces ? texts.replaceApp : texts.addApp;
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ProvenDialog
        open={open}
        onClose={() => setOpen(false)}
        user={user}
        proofs={proofs}
        title={label}
        description={texts.addAppLead}
        confirm={texts.goOn}
        busy={m.factors.setUp.starting}
        act={async (proof) => {
          setApp(await auth.beginTotp({ proof }));
          setOpen(false);
        }}
      />
      {app && (
        <ConfirmApp
          app={app}
          title={label}
          onClose={() => setApp(undefined)}
          onAdded={(factor, recoveryCodes) => {
            setApp(undefined);
            onAdded(factor.name, recoveryCodes);
          }}
        />
      )}
    </>
  );
}

interface ConfirmAppProps {
  app: TotpSetUp;
  title: string;
  onClose(): void;
  onAdded(factor: FactorInfo, recoveryCodes: readonly string[] | undefined): void;
}

function ConfirmApp({ app, title, onClose, onAdded }: ConfirmAppProps) {
  const { m } = useLanguage();
  const texts = m.factors.app;
  const { auth } = useClient();
  const [code, setCode] = useState('');
  const task = useTask<'code'>((error) =>
    ['SECOND_FACTOR_FAILED', 'VALIDATION_FAILED'].includes(clientErrorCode(error) ?? '')
      ? { field: 'code', text: ({ factors }) => factors.codeWrong }
      : undefined,
  );
  const form = useFocusInvalidField(task.result);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!code.trim()) return task.fail({ field: 'code', text: ({ factors }) => factors.codeMissing });
    void task.run(async () => {
      const { factor, recoveryCodes } = await auth.addTotp({ setUp: app.setUp, code });
      onAdded(factor, recoveryCodes);
      return undefined;
    });
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => next || task.busy || onClose()}
      title={title}
      description={m.factors.setUp.appLead}
    >
      <form ref={form} method="post" noValidate onSubmit={submit} className="grid w-full gap-6">
        <Suspense fallback={<div className="skeleton h-72" />}>
          <AppKey secret={app.secret} uri={app.uri} />
        </Suspense>
        <TextField
          label={texts.code}
          error={fieldError(task, 'code', m)}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          value={code}
          readOnly={task.busy}
          onChange={({ target }) => setCode(target.value)}
        />
        <TaskMessage result={task.result} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={task.busy} onClick={onClose}>
            {m.account.cancel}
          </Button>
          <Button type="submit" busy={task.busy}>
            {task.busy ? texts.confirming : texts.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
