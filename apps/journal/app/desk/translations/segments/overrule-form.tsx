import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { useDeskMessages } from '../../use-desk.ts';

/** Characters of a reason. */
const MAX_REASON = 1_000;

interface OverruleFormProps {
  busy: boolean;
  onSend(reason: string): Promise<void>;
  onClose(): void;
}

/** Takes the reason for which somebody overrules the guard. */
export function OverruleForm({ busy, onSend, onClose }: OverruleFormProps) {
  const messages = useDeskMessages();
  const texts = messages.translations.overrule;
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim()) return void onSend(reason.trim());
    setIsMissing(true);
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextArea
        ref={field}
        label={texts.reason}
        hint={texts.hint}
        error={isMissing && !reason.trim() ? texts.missing : undefined}
        limit={MAX_REASON}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="danger" size="small" busy={busy}>
          {texts.action}
        </Button>
        <Button variant="quiet" size="small" onClick={onClose}>
          {messages.editor.cancel}
        </Button>
      </div>
    </form>
  );
}
