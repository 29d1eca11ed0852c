import { nameFault } from '@fabrica/contract';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { PostComment } from '../../../project/entities.ts';
import { useClient, usePageAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Messages } from '../../language/load-messages.ts';
import { noticeText, type WriteText } from '../../language/notice-text.tsx';
import { clientErrorCode } from '../../sign-in/forms/form-errors.ts';
import { MAX_NAME_LENGTH } from '../../sign-in/password/sign-in-fields.ts';
import { Button } from '../../ui/button.tsx';
import { createTabDraft } from '../../ui/tab-draft.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { countCharacters, describeExcess } from '../../ui/text-limit.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { CommentError, PostFormResult } from '../post-action.ts';
import { commentsPath, signInPath } from '../post-paths.ts';
import { createComment, MAX_COMMENT_LENGTH } from './create-comment.ts';

export interface CommentFormProps {
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
  const client = useClient();
  const { user, isLoading } = usePageAuth();
  const isServed = newId !== undefined;
  const [error, setError] = useState(refused?.error);
  const { text, latest, field, isScripted, change } = useDraft(
    postId,
    isServed ? (refused?.text ?? '') : undefined,
  );
  const [name, setName] = useState(refused?.name ?? '');
  const nameField = useRef<HTMLInputElement>(null);
  const [posting, setPosting] = useState(false);
  const busy = useRef(false);
  const texts = m.post.comments;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const content = text.trim();
    if (!user || !content || busy.current) return;
    const newName = user.displayName ? '' : name.trim();
    const fault = nameFault(newName);
    setError(fault && `name-${fault}`);
    const isNameRefused = fault !== undefined || countCharacters(newName) > MAX_NAME_LENGTH;
    if (isNameRefused) return nameField.current?.focus();
    if (countCharacters(content) > MAX_COMMENT_LENGTH) {
      showFailure(({ language, m }) =>
        describeExcess(content, MAX_COMMENT_LENGTH, { language, ...m.layout.limit }),
      );
      return;
    }
    busy.current = true;
    setPosting(true);
    try {
      onPosted(await createComment(client, user, { postId, content, newName }));
      // Text that was changed during the request is kept.
      if (latest.current === text) change('');
      toast.success(noticeText(({ m }) => m.post.comments.posted));
    } catch (failure) {
      if (clientErrorCode(failure) === 'RATE_LIMITED') setError('too-many');
      else showFailure();
    } finally {
      busy.current = false;
      setPosting(false);
    }
  };

  const isClosed = !user && !refused;
  return (
    <form method="post" onSubmit={submit} className="grid gap-3">
      <input type="hidden" name="intent" value="comment" />
      {isServed && <input type="hidden" name="id" value={newId} />}
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
        <Button type="submit" busy={posting} disabled={isClosed || (isScripted && !text.trim())}>
          {posting ? texts.submitting : texts.submit}
        </Button>
      </div>
    </form>
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
