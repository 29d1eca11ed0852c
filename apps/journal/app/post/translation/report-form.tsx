import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { describeWait } from '../../client/too-many.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useActionForm } from '../../ui/use-action-form.ts';
import type { PostFormResult } from '../post-action.ts';
import { REPORT_ID } from '../post-paths.ts';
import type { ShownPost } from '../present-post.ts';
import { useReadingMessages } from './load-reading-messages.ts';
import { MAX_MESSAGE, MAX_QUOTE } from './send-report.ts';

interface ReportFormProps {
  id?: string;
  post: Pick<ShownPost, 'id' | 'textLanguage'>;
  /** The passage that is in question; it can be changed. */
  quote: string;
  /** The report that the server refused, if the form was sent without JavaScript. */
  refused?: Extract<PostFormResult, { kind: 'report-refused' }> | undefined;
  /** Whether the form was sent without JavaScript, and the server took it. */
  isSent?: boolean;
  onClose(): void;
}

/** Takes what a reader has to say about an error of the translation, and sends it to those who review it. */
export function ReportForm({ id, post, quote: given, refused, isSent = false, onClose }: ReportFormProps) {
  const { m, language } = useLanguage();
  const texts = useReadingMessages();
  const { pathname, search } = useLocation();
  const [quote, setQuote] = useState(given.slice(0, MAX_QUOTE));
  const [message, setMessage] = useState(refused?.message ?? '');
  const [isEmpty, setEmpty] = useState(refused?.error === 'empty');
  const field = useRef<HTMLTextAreaElement>(null);
  const thanks = useRef<HTMLParagraphElement>(null);
  const titleId = useId();
  const { Form, props, busy, result } = useActionForm<PostFormResult>(refused, (answer) => {
    if (answer.kind !== 'report-refused') return;
    setEmpty(answer.error === 'empty');
    if (answer.error === 'empty' || answer.error === 'too-long') field.current?.focus();
  });
  const sent = isSent || result?.kind === 'reported';
  // What failed before is not said while the form is being sent again.
  const failure = result?.kind === 'report-refused' && !busy ? result : undefined;
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (sent) thanks.current?.focus({ preventScroll: true });
  }, [sent]);

  const describeFailure = () => {
    if (failure?.error === 'removed') return m.post.removed;
    if (failure?.error === 'too-many') return describeWait(failure.retryAfter, { m, language });
    return failure?.error === 'failed' ? texts.form.failed : undefined;
  };
  const failureWords = describeFailure();
  if (sent) {
    return (
      <div id={id} className="report-form">
        <p ref={thanks} tabIndex={-1} role="status" className="outline-none">
          {texts.form.thanks}
        </p>
        <Button
          variant="outline"
          size="small"
          className="justify-self-start unscripted:hidden"
          onClick={onClose}
        >
          {texts.form.close}
        </Button>
      </div>
    );
  }
  return (
    <Form
      id={id}
      {...props}
      action={`${pathname}${search}#${REPORT_ID}`}
      aria-labelledby={titleId}
      className="report-form"
    >
      <input type="hidden" name="intent" value="report" />
      <input type="hidden" name="post" value={post.id} />
      <input type="hidden" name="language" value={post.textLanguage ?? ''} />
      <h3 id={titleId} className="font-semibold">
        {m.post.translation.report}
      </h3>
      <TextArea
        name="quote"
        label={texts.form.quote}
        lang={post.textLanguage ?? undefined}
        rows={3}
        limit={MAX_QUOTE}
        value={quote}
        onChange={(event) => setQuote(event.target.value)}
      />
      <TextArea
        ref={field}
        name="message"
        label={texts.form.message}
        hint={texts.form.hint}
        error={isEmpty ? texts.form.missing : undefined}
        rows={3}
        limit={MAX_MESSAGE}
        value={message}
        onChange={(event) => {
          setEmpty(false);
          setMessage(event.target.value);
        }}
      />
      {failureWords && <p role="alert">{failureWords}</p>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="small" busy={busy !== undefined}>
          {busy ? texts.form.sending : texts.form.send}
        </Button>
        <Button variant="outline" size="small" className="unscripted:hidden" onClick={onClose}>
          {texts.form.cancel}
        </Button>
      </div>
    </Form>
  );
}
