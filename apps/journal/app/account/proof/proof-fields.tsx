import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { getPasskey, PasskeyError, usePasskeySupport } from '../../factors/passkey.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { CodeField } from '../../sign-in/forms/code-field.tsx';
import { PasswordField } from '../../sign-in/forms/password-field.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { fieldError, type Task, useTask } from '../task/use-task.ts';
import type { ProofInput } from './use-proof.ts';

export interface ProofFieldsProps {
  email: string;
  proof: ProofInput;
  /** The task of the form, whose errors may belong to these fields. */
  task: Pick<Task<string>, 'busy' | 'result'>;
}

/** Takes the current password, or the code of a mail that a button sends. Shows nothing until a proof is asked for. */
export function ProofFields({ email, proof, task }: ProofFieldsProps) {
  const { m } = useLanguage();
  const texts = m.account.proof;
  const { auth } = useClient();
  const sendsMail = useSendsMail();
  const sending = useTask();
  const [sent, setSent] = useState(false);
  if (!proof.kind) return null;
  if (proof.kind === 'factor') return <FactorFields proof={proof} task={task} />;

  const send = () =>
    void sending.run(async () => {
      await auth.sendProofCode();
      proof.choose('code');
      setSent(true);
      return ({ account, authMail }) => (sendsMail ? account.proof.sent(email) : authMail.unsent.requested);
    });
  const field = {
    value: proof.typed,
    readOnly: task.busy,
    onChange: ({ target }: { target: { value: string } }) => proof.type(target.value),
  };
  return (
    <div className="grid justify-items-start gap-4 [&>*]:w-full">
      {proof.kind === 'password' ? (
        <PasswordField
          label={m.account.password.old}
          error={fieldError(task, 'proof', m)}
          name="proof"
          autoComplete="current-password"
          required
          autoFocus
          {...field}
        />
      ) : (
        sent && <CodeField error={fieldError(task, 'code', m)} autoFocus {...field} />
      )}
      <TaskMessage result={sending.result} />
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        <Button variant="outline" size="small" busy={sending.busy} onClick={send}>
          {sending.busy ? m.authMail.send.sending : sent ? texts.sendAgain : texts.send}
        </Button>
        {proof.kind === 'code' && proof.hasPassword && (
          <Button variant="quiet" size="small" onClick={() => proof.choose('password')}>
            {texts.usePassword}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Takes a code of the app or a recovery code, or has a passkey shown, which sends the form. */
function FactorFields({ proof, task }: Pick<ProofFieldsProps, 'proof' | 'task'>) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const isSupported = usePasskeySupport();
  const showing = useTask((error) =>
    error instanceof PasskeyError ? { text: ({ factors }) => factors.notShown } : undefined,
  );
  const show = (form: HTMLFormElement | null) =>
    void showing
      .run(async () => {
        proof.showPasskey(await getPasskey(await auth.proofOptions()));
        return undefined;
      })
      .then((isShown) => isShown && form?.requestSubmit());
  return (
    <div className="grid justify-items-start gap-4 [&>*]:w-full">
      {proof.hasPasskey && isSupported && (
        <Button
          variant="outline"
          busy={showing.busy}
          disabled={task.busy}
          onClick={(event) => show(event.currentTarget.form)}
        >
          {showing.busy ? m.factors.waiting : m.factors.usePasskey}
        </Button>
      )}
      <TaskMessage result={showing.result} />
      <TextField
        label={m.factors.code}
        hint={m.factors.codeHint}
        error={fieldError(task, 'code', m)}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        value={proof.typed}
        readOnly={task.busy}
        onChange={({ target }) => proof.type(target.value)}
      />
    </div>
  );
}
