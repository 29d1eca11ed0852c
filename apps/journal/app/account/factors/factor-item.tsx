import type { FactorInfo, ProofKind } from '@fabrica/contract';
import { FACTOR_NAME_LENGTH } from '@fabrica/contract';
import { KeyRound, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DateTime } from '../date-time.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import { ProvenButton } from './proven-button.tsx';

interface FactorItemProps {
  factor: FactorInfo;
  proofs: readonly ProofKind[];
  /** Whether it is the last one of an account that has to have one. */
  isRequired: boolean;
  onRenamed(): void;
  onRemoved(name: string): void;
}

/** Shows a factor, which can be renamed and removed. */
export function FactorItem({ factor, proofs, isRequired, onRenamed, onRemoved }: FactorItemProps) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const [isRenaming, setIsRenaming] = useState(false);
  const { id, kind, name, createdAt, lastUsedAt } = factor;
  const Icon = kind === 'passkey' ? KeyRound : Smartphone;
  return (
    <li className="grid gap-3 border-t border-hairline py-4 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 gap-3">
          <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
          <div className="grid min-w-0 gap-1">
            <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
            <p className="text-sm leading-relaxed text-muted">
              {kind === 'passkey' ? texts.passkey : texts.app}
              <br />
              {texts.added} <DateTime iso={createdAt} />
              <br />
              {lastUsedAt ? (
                <>
                  {texts.lastUsed} <DateTime iso={lastUsedAt} />
                </>
              ) : (
                texts.never
              )}
            </p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="quiet"
            size="small"
            aria-label={texts.renameOf(name)}
            aria-expanded={isRenaming}
            onClick={() => setIsRenaming(!isRenaming)}
          >
            {texts.rename}
          </Button>
          {!isRequired && (
            <ProvenButton
              fields={{ intent: 'remove-factor', factor: id }}
              button={{
                variant: 'outline',
                size: 'small',
                'aria-label': texts.removeOf(name),
                children: texts.remove,
              }}
              proofs={proofs}
              role="alertdialog"
              title={texts.removeTitle(name)}
              description={texts.removeLead}
              confirm={texts.remove}
              busy={texts.removing}
              onDone={() => onRemoved(name)}
            />
          )}
        </div>
      </div>
      {isRenaming && (
        <RenameFactor
          factor={factor}
          onRenamed={() => {
            setIsRenaming(false);
            onRenamed();
          }}
        />
      )}
    </li>
  );
}

function RenameFactor({ factor, onRenamed }: { factor: FactorInfo; onRenamed(): void }) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const { Form, props, result, isBusy, errorOf } = useAccountForm(({ error }) => error || onRenamed());
  return (
    <Form {...props} className="grid justify-items-start gap-3">
      <input type="hidden" name="intent" value="rename-factor" />
      <input type="hidden" name="factor" value={factor.id} />
      <div className="w-full max-w-80">
        <TextField
          label={texts.name}
          error={errorOf('name')}
          name="name"
          autoComplete="off"
          limit={FACTOR_NAME_LENGTH}
          autoFocus
          defaultValue={factor.name}
          readOnly={isBusy}
        />
      </div>
      <Button type="submit" size="small" busy={isBusy}>
        {texts.save}
      </Button>
      <FormMessage result={result} />
    </Form>
  );
}
