import { looksLikeEmail } from '@fabrica/contract';
import { type FormEvent, useRef, useState } from 'react';
import { useAuth, useClient } from '../../client/client-context.tsx';
import type { PostComment } from '../../entities.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { MAX_NAME_LENGTH } from '../../sign-in/password/sign-in-fields.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { countCharacters, describeExcess, useLimitWords } from '../../ui/text-limit.tsx';
import { toast } from '../../ui/toasts.tsx';
import { createCommentDraft } from './comment-draft.ts';

/** A comment has at most this many characters. */
const MAX_LENGTH = 5_000;

export interface CommentFormProps {
  postId: string;
  onPosted(comment: PostComment): void;
}

/** Renders the form for a comment. Visitors see it disabled, with a button to sign in. */
export function CommentForm({ postId, onPosted }: CommentFormProps) {
  const { m } = useLanguage();
  const limitWords = useLimitWords();
  const client = useClient();
  const { user, isLoading } = useAuth();
  const [draft] = useState(() => createCommentDraft(postId));
  const [text, setText] = useState(() => draft.read());
  const latest = useRef(text);
  const [name, setName] = useState('');
  const [nameIsEmail, setNameIsEmail] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const [posting, setPosting] = useState(false);
  const busy = useRef(false);
  const texts = m.post.comments;

  const change = (next: string) => {
    latest.current = next;
    setText(next);
    draft.write(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const content = text.trim();
    if (!user || !content || busy.current) return;
    const newName = user.displayName ? '' : name.trim();
    setNameIsEmail(looksLikeEmail(newName));
    if (looksLikeEmail(newName) || countCharacters(newName) > MAX_NAME_LENGTH)
      return nameField.current?.focus();
    const excess = describeExcess(content, MAX_LENGTH, limitWords);
    if (excess) {
      toast.error(texts.failed, { description: excess });
      return;
    }
    busy.current = true;
    setPosting(true);
    try {
      if (newName) await client.auth.updateMe({ displayName: newName });
      // The server stores the account's public name, whatever is sent.
      const userName = newName || user.displayName || 'Anonymous';
      const comments = client.db.table<PostComment>('postComments', { idPrefix: 'comment_' });
      const comment = { postId, userId: user.id, userName, content, createdAt: Date.now() };
      onPosted(await comments.create(comment));
      // Text that was changed during the request is kept.
      if (latest.current === text) change('');
      toast.success(texts.posted);
    } catch {
      toast.error(texts.failed);
    } finally {
      busy.current = false;
      setPosting(false);
    }
  };

  return (
    <form method="post" onSubmit={submit} className="grid gap-3">
      {user && !user.displayName && (
        <TextField
          ref={nameField}
          label={texts.name}
          hint={m.signIn.nameHint}
          error={nameIsEmail ? m.signIn.nameIsEmail : undefined}
          autoComplete="name"
          limit={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <TextArea
        label={texts.label}
        rows={3}
        limit={MAX_LENGTH}
        value={text}
        disabled={!user}
        placeholder={texts.placeholder}
        onChange={(event) => change(event.target.value)}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        {user || isLoading ? (
          <span />
        ) : (
          <p className="text-[0.9375rem] text-muted">
            {texts.signInFirst}.{' '}
            <button
              type="button"
              onClick={() => client.auth.login(`${window.location.pathname}#comments`)}
              className="inline-flex min-h-6 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong"
            >
              {texts.signIn}
            </button>
          </p>
        )}
        <Button type="submit" busy={posting} disabled={!user || !text.trim()}>
          {posting ? texts.submitting : texts.submit}
        </Button>
      </div>
    </form>
  );
}
