import type { AddedFactor, FactorList, User } from '@fabrica/contract';
import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import type { LoadedData } from '../../ui/use-loaded-data.ts';
import { AccountSection, focusHeading } from '../account-section.tsx';
import { LoadedContent } from '../loaded-content.tsx';
import { AddApp } from './add-app.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { FactorItem } from './factor-item.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { ProvenButton } from './proven-button.tsx';

interface FactorsSectionProps {
  user: User;
  list: LoadedData<FactorList>;
  /** Called when the first factor has ended the other sessions. */
  onChanged(): void;
}

/** Lists the passkeys, the authenticator app and what is left of the recovery codes, and lets the owner change them. */
export function FactorsSection({ user, list, onChanged }: FactorsSectionProps) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const sendsMail = useSendsMail();
  const [codes, setCodes] = useState<readonly string[]>();
  const [notice, setNotice] = useState<{ what: 'addedNow' | 'removed'; name: string }>();

  const added = ({ factor: { name }, recoveryCodes }: AddedFactor) => {
    setNotice({ what: 'addedNow', name });
    list.reload();
    setCodes(recoveryCodes);
    if (recoveryCodes) onChanged();
    else focusHeading('factors');
  };
  const removed = (name: string) => {
    setNotice({ what: 'removed', name });
    list.reload();
    focusHeading('factors');
  };
  return (
    <AccountSection id="factors" title={texts.title} lead={texts.lead}>
      <LoadedContent loaded={list} texts={texts} height="h-24">
        {(loaded) => (
          <>
            <Factors list={loaded} onRenamed={list.reload} onRemoved={removed} />
            <p role="status" className="text-[0.9375rem] text-success empty:sr-only">
              {notice && texts[notice.what](notice.name)}
            </p>
            {sendsMail && !user.emailVerified ? (
              <p className="text-muted">{texts.verifyFirst}</p>
            ) : (
              <div className="flex flex-wrap gap-3">
                <AddPasskey proofs={loaded.proofs} onAdded={added} />
                <AddApp
                  proofs={loaded.proofs}
                  replaces={loaded.factors.some(({ kind }) => kind === 'totp')}
                  onAdded={added}
                />
              </div>
            )}
            {loaded.factors.length > 0 && (
              <div className="grid justify-items-start gap-3">
                <p className="text-muted">{texts.codesLeft(loaded.recoveryCodesLeft)}</p>
                <ProvenButton
                  fields={{ intent: 'recovery-codes' }}
                  button={{ variant: 'outline', size: 'small', children: texts.makeCodes }}
                  proofs={loaded.proofs}
                  title={texts.makeCodes}
                  description={texts.makeCodesLead}
                  confirm={texts.makeCodes}
                  busy={texts.making}
                  onDone={({ recoveryCodes }) => {
                    setCodes(recoveryCodes);
                    list.reload();
                  }}
                />
              </div>
            )}
          </>
        )}
      </LoadedContent>
      {codes && (
        <NewRecoveryCodes
          codes={codes}
          onDone={() => {
            setCodes(undefined);
            focusHeading('factors');
          }}
        />
      )}
    </AccountSection>
  );
}

interface FactorsProps {
  list: FactorList;
  onRenamed(): void;
  onRemoved(name: string): void;
}

function Factors({ list, onRenamed, onRemoved }: FactorsProps) {
  const { m } = useLanguage();
  const { none, required } = m.factors.section;
  const { factors } = list;
  if (factors.length === 0) return <p className="text-muted">{none}</p>;
  const isLast = list.required && factors.length === 1;
  return (
    <>
      <ul>
        {factors.map((factor) => (
          <FactorItem
            key={factor.id}
            factor={factor}
            proofs={list.proofs}
            isRequired={isLast}
            onRenamed={onRenamed}
            onRemoved={onRemoved}
          />
        ))}
      </ul>
      {isLast && <p className="text-[0.9375rem] text-muted">{required}</p>}
    </>
  );
}
