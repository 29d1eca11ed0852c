import type { User } from '@fabrica/contract';
import { Download } from 'lucide-react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/use-object-url.ts';
import { AccountSection } from '../account-section.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { useTask } from '../task/use-task.ts';
import { DeleteAccount } from './delete-account.tsx';

/** Lets the owner download all data of the account, or delete the account. */
export function DataSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.data;
  const { auth } = useClient();
  const task = useTask();
  const save = () =>
    void task.run(async () => {
      saveFile(await auth.exportData(), `fabrica-${new Date().toISOString().slice(0, 10)}.json`);
      return ({ account }) => account.data.exported;
    });
  return (
    <AccountSection id="data" title={texts.title} lead={texts.lead}>
      <div className="grid justify-items-start gap-3">
        <Button variant="outline" busy={task.busy} onClick={save}>
          <Download aria-hidden="true" className="size-4 shrink-0" />
          {task.busy ? texts.exporting : texts.export}
        </Button>
        <TaskMessage result={task.result} />
      </div>
      <DeleteAccount user={user} />
    </AccountSection>
  );
}
