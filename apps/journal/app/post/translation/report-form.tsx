import { FabricaError } from '@fabrica/client';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { describeTooMany } from '../../client/too-many.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { countCharacters } from '../../ui/text-limit.tsx';
import type { ShownPost } from '../present-post.ts';
import { useReadingMessages } from './load-reading-messages.ts';

/** Characters of a quotation and of a message (`desk/translations/reports/routes.ts`). */
const MAX_QUOTE = 2_000;
const MAX_MESSAGE = 5_000;

export interface ReportFormProps {
  post: Pick<ShownPost, 'id' | 'textLanguage'>;
  /** The passage that is in question; it can be changed. */
  quote: string;
  onClose(): void;
}

/** Takes what a reader has to say about an error of the translation, and sends it to those who review it. */
export function ReportForm({ post, quote: given, onClose }: ReportFormProps) {
  const client = useClient();
  const { m, language } = useLanguage();
  const texts = useReadingMessages();
  const [quote, setQuote] = useState(given.slice(0, MAX_QUOTE));
  const [message, setMessage] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open');
  const field = useRef<HTMLTextAreaElement>(null);
  const thanks = useRef<HTMLParagraphElement>(null);
  const titleId = useId();
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (state === 'sent') thanks.current?.focus({ preventScroll: true });
  }, [state]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (state !== 'open') return;
    const isTooLong = countCharacters(message) > MAX_MESSAGE || countCharacters(quote) > MAX_QUOTE;
    if (!message.trim()) setError(texts.form.missing);
    if (!message.trim() || isTooLong) return field.current?.focus();
    setState('sending');
    setFailure(undefined);
    try {
      await client.request({
        method: 'POST',
        path: `/api/desk/${encodeURIComponent(client.projectId)}/translations/reports`,
        json: { postId: post.id, language: post.textLanguage, quote: quote.trim(), message: message.trim() },
      });
      setState('sent');
    } catch (cause) {
      const isGone = cause instanceof FabricaError && cause.code === 'NOT_FOUND';
      setFailure(isGone ? m.post.removed : (describeTooMany(cause, { m, language }) ?? texts.form.failed));
      setState('open');
    }
  };

  if (state === 'sent') {
    return (
      <div className="report-form">
        <p ref={thanks} tabIndex={-1} role="status" className="outline-none">
          {texts.form.thanks}
        </p>
        <Button variant="outline" size="small" className="justify-self-start" onClick={onClose}>
          {texts.form.close}
        </Button>
      </div>
    );
  }
  return (
    <form onSubmit={send} noValidate aria-labelledby={titleId} className="report-form">
      <h3 id={titleId} className="font-semibold">
        {m.post.translation.report}
      </h3>
      <TextArea
        label={texts.form.quote}
        lang={post.textLanguage ?? undefined}
        rows={3}
        limit={MAX_QUOTE}
        value={quote}
        onChange={(event) => setQuote(event.target.value)}
      />
      <TextArea
        ref={field}
        label={texts.form.message}
        hint={texts.form.hint}
        error={error}
        rows={3}
        limit={MAX_MESSAGE}
        value={message}
        onChange={(event) => {
          setError(undefined);
          setMessage(event.target.value);
        }}
      />
      {failure && <p role="alert">{failure}</p>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="small" busy={state === 'sending'}>
          {state === 'sending' ? texts.form.sending : texts.form.send}
        </Button>
        <Button variant="outline" size="small" onClick={onClose}>
          {texts.form.cancel}
        </Button>
      </div>
    </form>
  );
}
