import { useState } from 'react';
import { useAuth } from '../../client/client-context.tsx';
import { hasLocalTexts } from '../../client/local-texts.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { ProvenQuestion } from '../proof/proven-question.tsx';

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
  const texts = useLanguage().m.account.sessions.everywhere;
  return (
    <ProvenQuestion
      fields={{ intent: 'sign-out' }}
      title={texts.title}
      description={hasDraft ? `${texts.question} ${texts.removesDraft}` : texts.question}
      role="alertdialog"
      confirm={texts.confirm}
      busy={texts.busy}
      onClose={onCancel}
    />
  );
}
