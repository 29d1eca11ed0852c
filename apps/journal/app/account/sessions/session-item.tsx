import { FabricaError } from '@fabrica/client';
import type { SessionInfo } from '@fabrica/contract';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { useTask } from '../task/use-task.ts';
import { describeSignInMethod } from './describe-sign-in-method.ts';

export interface SessionItemProps {
  session: SessionInfo;
  onEnded(id: string, device: string): void;
}

/** Shows a session. Any session except the current one can be ended. */
export function SessionItem({ session, onEnded }: SessionItemProps) {
  const { m, language } = useLanguage();
  const texts = m.account.sessions;
  const { auth } = useClient();
  const task = useTask();
  const { id, current, createdAt, lastUsedAt, method } = session;
  const device = session.device ?? texts.unknownDevice;

  const end = async () => {
    const done = await task.run(async () => {
      await auth.endSession(id).catch((error: unknown) => {
        // The session has already ended, by itself or on another device.
        if (!(error instanceof FabricaError) || error.status !== 404) throw error;
      });
      return undefined;
    });
    if (done) onEnded(id, device);
  };

  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const time = (iso: string) => <time dateTime={iso}>{format.format(new Date(iso))}</time>;
  return (
    <li className="grid gap-3 border-t border-hairline py-4 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <p className="flex flex-wrap items-baseline gap-x-3 font-medium [overflow-wrap:anywhere]">
            {device}
            {current && <span className="small-caps-label text-success">{texts.thisOne}</span>}
          </p>
          <p className="text-sm leading-relaxed text-muted">
            {describeSignInMethod(method, m)}
            <br />
            {texts.since} {time(createdAt)}
            <br />
            {texts.lastUsed} {time(lastUsedAt)}
          </p>
        </div>
        {!current && (
          <Button
            variant="outline"
            size="small"
            busy={task.busy}
            aria-label={texts.endOn(device)}
            onClick={() => void end()}
          >
            {task.busy ? texts.ending : texts.end}
          </Button>
        )}
      </div>
      <TaskMessage result={task.result} />
    </li>
  );
}
