import type { User } from '@fabrica/contract';
import { Download } from 'lucide-react';
import type { FormEvent } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/use-object-url.ts';
import { ProofFields } from '../proof/proof-fields.tsx';
import { type ProofField, useProof } from '../proof/use-proof.ts';
import { TaskMessage } from '../task/task-message.tsx';
import { useFocusInvalidField, useTask } from '../task/use-task.ts';

/** Downloads all data of the account. Some time after signing in, the owner has to prove it once more. */
export function ExportData({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.data;
  const { auth } = useClient();
  const proof = useProof();
  const task = useTask<ProofField>(proof.explain);
  const form = useFocusInvalidField(task.result);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const given = proof.read();
    if (given.failure) return task.fail(given.failure);
    void task.run(async () => {
      const file = await auth.exportData(given.proof);
      saveFile(file, `fabrica-${new Date().toISOString().slice(0, 10)}.json`);
      return ({ account }) => account.data.exported;
    });
  };
  return (
    <form ref={form} method="post" noValidate onSubmit={save} className="grid justify-items-start gap-4">
      <ProofFields email={user.email} proof={proof} task={task} />
      <Button type="submit" variant="outline" busy={task.busy}>
        <Download aria-hidden="true" className="size-4 shrink-0" />
        {task.busy ? texts.exporting : texts.export}
      </Button>
      <TaskMessage result={task.result} />
    </form>
  );
}
