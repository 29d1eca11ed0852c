import type { FactorInfo, ProofKind, User } from '@fabrica/contract';
import { FACTOR_NAME_LENGTH } from '@fabrica/contract';
import { KeyRound, Smartphone } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { countCharacters } from '../../ui/text-limit.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { fieldError, useFocusInvalidField, useTask } from '../task/use-task.ts';
import { ProvenDialog } from './proven-dialog.tsx';

export interface FactorItemProps {
  factor: FactorInfo;
  user: User;
  proofs: readonly ProofKind[];
  /** Whether it is the last one of an account that has to have one. */
  isRequired: boolean;
  onRenamed(): void;
  onRemoved(name: string): void;
}

/** Shows a factor, which can be renamed and removed. */
export function FactorItem({ factor, user, proofs, isRequired, onRenamed, onRemoved }: FactorItemProps) {
  const { m, language } = useLanguage();
  const texts = m.factors.section;
  const { auth } = useClient();
  const [isRenaming, setIsRenaming] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const { id, kind, name, createdAt, lastUsedAt } = factor;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const time = (iso: string) => <time dateTime={iso}>{format.format(new Date(iso))}</time>;
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
              {texts.added} {time(createdAt)}
              <br />
              {lastUsedAt ? (
                <>
                  {texts.lastUsed} {time(lastUsedAt)}
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
            <Button
              variant="outline"
              size="small"
              aria-label={texts.removeOf(name)}
              onClick={() => setIsRemoving(true)}
            >
              {texts.remove}
            </Button>
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
      <ProvenDialog
        open={isRemoving}
        onClose={() => setIsRemoving(false)}
        user={user}
        proofs={proofs}
        role="alertdialog"
        title={texts.removeTitle(name)}
        description={texts.removeLead}
        confirm={texts.remove}
        busy={texts.removing}
        act={async (proof) => {
          await auth.removeFactor(id, proof);
          setIsRemoving(false);
          onRemoved(name);
        }}
      />
    </li>
  );
}

function RenameFactor({ factor, onRenamed }: { factor: FactorInfo; onRenamed(): void }) {
  const { m } = useLanguage();
  const texts = m.factors.section;
  const { auth } = useClient();
  const [name, setName] = useState(factor.name);
  const task = useTask<'name'>();
  const form = useFocusInvalidField(task.result);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return task.fail({ field: 'name', text: ({ factors }) => factors.section.nameMissing });
    if (countCharacters(name) > FACTOR_NAME_LENGTH) {
      return task.fail({ field: 'name', text: ({ signIn }) => signIn.nameTooLong });
    }
    void task.run(async () => {
      await auth.renameFactor(factor.id, name);
      onRenamed();
      return undefined;
    });
  };
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="grid justify-items-start gap-3">
      <div className="w-full max-w-80">
        <TextField
          label={texts.name}
          error={fieldError(task, 'name', m)}
          name="name"
          autoComplete="off"
          limit={FACTOR_NAME_LENGTH}
          autoFocus
          value={name}
          readOnly={task.busy}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" size="small" busy={task.busy}>
        {texts.save}
      </Button>
      <TaskMessage result={task.result} />
    </form>
  );
}
