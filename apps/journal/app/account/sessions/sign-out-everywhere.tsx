import { useState } from 'react';
import { useAuth } from '../../client/client-context.tsx';
import { hasLocalTexts } from '../../client/local-texts.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';

/** Ends all sessions of the account, with this one, after a confirmation. */
export function SignOutEverywhere() {
  const texts = useLanguage().m.account.sessions.everywhere;
  const { user } = useAuth();
  const [asked, setAsked] = useState<{ hasDraft: boolean }>();
  const ask = async () => setAsked({ hasDraft: user !== null && (await hasLocalTexts(user.id)) });
  return (
    <>
      <Button variant="outline" className="justify-self-start" onClick={() => void ask()}>
        {texts.open}
      </Button>
      {asked && <Confirmation {...asked} onCancel={() => setAsked(undefined)} />}
    </>
  );
}

function Confirmation({ hasDraft, onCancel }: { hasDraft: boolean; onCancel(): void }) {
  const { m } = useLanguage();
  const texts = m.account.sessions.everywhere;
  const { send, result, isBusy } = useAccountForm();
  return (
    <ConfirmDialog
      open
      title={texts.title}
      description={hasDraft ? `${texts.question} ${texts.removesDraft}` : texts.question}
      cancel={m.account.cancel}
      confirm={isBusy ? texts.busy : texts.confirm}
      busy={isBusy}
      onConfirm={() => send({ intent: 'sign-out' })}
      onCancel={onCancel}
    >
      <div className="w-full">
        <FormMessage result={result} />
      </div>
    </ConfirmDialog>
  );
}
