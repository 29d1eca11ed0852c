import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { PostComment } from '../../../project/entities.ts';
import { usePageAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Messages } from '../../language/load-messages.ts';
import { noticeText, type WriteText } from '../../language/notice-text.tsx';
import { MAX_NAME_LENGTH } from '../../sign-in/password/sign-in-fields.ts';
import { Button } from '../../ui/button.tsx';
import { createTabDraft } from '../../ui/tab-draft.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { describeExcess } from '../../ui/text-limit.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useActionForm } from '../../ui/use-action-form.ts';
import type { CommentError, PostFormResult } from '../post-action.ts';
import { commentsPath, signInPath } from '../post-paths.ts';
import { MAX_COMMENT_LENGTH } from './create-comment.ts';

interface CommentFormProps {
  postId: string;
  /** The id of the comment that the form creates without JavaScript. */
  newId: string | undefined;
  /** The comment that the server refused, if the form was sent without JavaScript. */
  refused: Extract<PostFormResult, { kind: 'comment-refused' }> | undefined;
  onPosted(comment: PostComment): void;
}

/** Renders the form for a comment. Visitors see it disabled, with a link to sign in. */
export function CommentForm({ postId, newId, refused, onPosted }: CommentFormProps) {
  const { m } = useLanguage();
  const { user, isLoading } = usePageAuth();
  const isServed = newId !== undefined;
  const [error, setError] = useState(refused?.error);
  const { text, latest, field, isScripted, change } = useDraft(
    postId,
    isServed ? (refused?.text ?? '') : undefined,
  );
  const [name, setName] = useState(refused?.name ?? '');
  const nameField = useRef<HTMLInputElement>(null);
  const sentText = useRef('');
  const texts = m.post.comments;
  const { Form, props, busy } = useActionForm<PostFormResult>(refused, (result) => {
    if (result.kind === 'commented') {
      setError(undefined);
      onPosted(result.comment);
      // Text that was changed during the request is kept.
      if (latest.current === sentText.current) change('');
      toast.success(noticeText(({ m }) => m.post.comments.posted));
    }
    if (result.kind !== 'comment-refused') return;
    const { error: fault } = result;
    const isNotice = fault === 'failed' || fault === 'too-long';
    setError(isNotice ? undefined : fault);
    if (fault.startsWith('name-')) nameField.current?.focus();
    if (fault === 'failed') showFailure();
    if (fault === 'too-long') {
      showFailure(({ language, m }) =>
        describeExcess(result.text.trim(), MAX_COMMENT_LENGTH, { language, ...m.layout.limit }),
      );
    }
  });

  const isClosed = !user && !refused;
  return (
    <Form
      {...props}
      onSubmit={(event) => {
        props.onSubmit?.(event);
        sentText.current = text;
      }}
      className="grid gap-3"
    >
      <input type="hidden" name="intent" value="comment" />
      <input type="hidden" name="post" value={postId} />
      {!isScripted && <input type="hidden" name="id" value={newId} />}
      {user && !user.displayName && (
        <TextField
          ref={nameField}
          name="name"
          label={texts.name}
          hint={m.post.comments.nameHint}
          error={nameErrorText(error, m)}
          autoComplete="name"
          limit={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <TextArea
        ref={field}
        name="content"
        label={texts.label}
        rows={3}
        limit={MAX_COMMENT_LENGTH}
        value={text}
        disabled={isClosed}
        placeholder={texts.placeholder}
        error={useErrorText(error)}
        onChange={(event) => {
          setError(undefined);
          change(event.target.value);
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        {user ? <span /> : <SignInFirst isLoading={isLoading} keepsPage={refused !== undefined} />}
        <Button type="submit" busy={busy !== undefined} disabled={isClosed || (isScripted && !text.trim())}>
          {busy ? texts.submitting : texts.submit}
        </Button>
      </div>
    </Form>
  );
}

function showFailure(describe?: WriteText): void {
  toast.error(
    noticeText(({ m }) => m.post.comments.failed),
    { description: describe && noticeText(describe) },
  );
}

/** Asks visitors to sign in. While it is loading who is signed in, only browsers without a script show it. */
function SignInFirst({ isLoading, keepsPage }: { isLoading: boolean; keepsPage: boolean }) {
  const { m } = useLanguage();
  const { pathname } = useLocation();
  return (
    <p className={`text-[0.9375rem] text-muted ${isLoading ? 'invisible unscripted:visible' : ''}`}>
      {m.post.comments.signInFirst}.{' '}
      <a
        href={signInPath(commentsPath(pathname))}
        // A text that the server did not take stays on this page, and can be sent after the sign-in.
        target={keepsPage ? '_blank' : undefined}
        className="inline-flex min-h-6 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong"
      >
        {m.post.comments.signIn}
      </a>
    </p>
  );
}

/**
 * Holds the text while it is written, for this tab. `served` is the text that the page was rendered with; the field may
 * hold more by the time the script runs.
 */
function useDraft(postId: string, served: string | undefined) {
  const [draft] = useState(() => createTabDraft(`comment_${postId}`));
  const [text, setText] = useState(() => served ?? draft.read());
  const [isScripted, setIsScripted] = useState(served === undefined);
  const latest = useRef(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const change = (next: string) => {
    latest.current = next;
    setText(next);
    draft.write(next);
  };
  const takeOver = useEffectEvent(() => {
    const typed = field.current?.value || draft.read();
    if (typed !== text) change(typed);
    setIsScripted(true);
  });
  useEffect(() => takeOver(), []);
  return { text, latest, field, isScripted, change };
}

/** Returns the error of the name in the reader's language. */
function nameErrorText(error: CommentError | undefined, { post }: Messages): string | undefined {
  if (error === 'name-email') return post.comments.nameIsEmail;
  return error === 'name-unclear' ? post.comments.nameUnclear : undefined;
}

/** Returns the error of the comment's text in the reader's language. */
function useErrorText(error: CommentError | undefined): string | undefined {
  const { m, language } = useLanguage();
  const { comments } = m.post;
  switch (error) {
    case 'empty':
      return comments.missing;
    case 'too-long':
      return comments.tooLong(MAX_COMMENT_LENGTH.toLocaleString(language));
    case 'signed-out':
      return comments.signInFirst;
    case 'too-many':
      return comments.tooMany;
    case 'failed':
      return comments.failed;
    default:
      return undefined;
  }
}
