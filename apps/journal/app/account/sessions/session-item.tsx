import type { SessionInfo } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { DateTime } from '../date-time.tsx';
import { FormMessage } from '../form-message.tsx';
import { ProofFields } from '../proof/proof-fields.tsx';
import { useProvenForm } from '../proof/use-proven-form.ts';
import { describeSignInMethod } from './describe-sign-in-method.ts';

interface SessionItemProps {
  session: SessionInfo;
  onEnded(id: string, device: string): void;
}

/** Shows a session. Any session except the current one can be ended. */
export function SessionItem({ session, onEnded }: SessionItemProps) {
  const { m } = useLanguage();
  const texts = m.account.sessions;
  const { id, current, createdAt, lastUsedAt, method } = session;
  const device = session.device ?? texts.unknownDevice;
  const form = useProvenForm([], ({ error }) => error || onEnded(id, device));
  const { Form, props, result, isBusy, proofKind } = form;

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
            {texts.since} <DateTime iso={createdAt} />
            <br />
            {texts.lastUsed} <DateTime iso={lastUsedAt} />
          </p>
        </div>
        {!current && (
          <Form {...props} className={proofKind && 'grid w-full justify-items-start gap-4'}>
            <input type="hidden" name="intent" value="end-session" />
            <input type="hidden" name="session" value={id} />
            <ProofFields form={form} />
            <Button
              type="submit"
              variant="outline"
              size="small"
              busy={isBusy}
              aria-label={texts.endOn(device)}
            >
              {isBusy ? texts.ending : texts.end}
            </Button>
          </Form>
        )}
      </div>
      <FormMessage result={result} />
    </li>
  );
}
