import { type FormEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { DOCUMENT_LIMITS } from '../../project/document-limits.ts';
import { useAuth } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { noticeText } from '../language/notice-text.tsx';
import { SessionEnded } from '../layout/session-ended.tsx';
import { useHasModel } from '../site/site.ts';
import { Button } from '../ui/button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { countCharacters, describeExcess } from '../ui/text-limit.tsx';
import { TitleField } from '../ui/title-field.tsx';
import { toast } from '../ui/toasts.tsx';
import { isBlank } from './drafts.ts';
import type { Reader } from './failures.ts';
import { ImageField, useImageChooser } from './image-field.tsx';
import { showFailure } from './publish-notices.tsx';
import type { Phase, Publishing } from './publishing.ts';
import { SAFE_CONTENT_LENGTH } from './translate-post.ts';
import type { DraftState } from './use-draft.ts';
import { usePublish } from './use-publish.ts';

export interface PublishFormProps {
  state: DraftState;
  publishing: Publishing;
  phase: Phase;
  /** Takes what is written to the desk. */
  onDesk(): void;
  isTaking: boolean;
}

/** Renders the form for a new post: an image, a title, a text, Cancel and Publish Post (docs/spec/product.md section 2). */
export function PublishForm({ state, publishing, phase, onDesk, isTaking }: PublishFormProps) {
  const { m, language } = useLanguage();
  const words = m.publish;
  const { status } = useAuth();
  const { draft, change } = state;
  const busy = publishing.isBusy;
  const chooser = useImageChooser((image) => void change({ image }));
  const publish = usePublish(state);
  /** Whether fields show an error while they are empty. */
  const [isChecked, setChecked] = useState(false);
  const publishButton = useRef<HTMLButtonElement>(null);
  const ids = { image: useId(), title: useId(), content: useId() };
  const focus = (id: string) => document.getElementById(id)?.focus();
  const errorOf = (field: 'title' | 'content', error: string) =>
    isChecked && !draft[field].trim() ? error : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { image, title, content } = draft;
    for (const field of ['title', 'content'] as const) {
      const [text, limit] = [draft[field].trim(), DOCUMENT_LIMITS[field]];
      if (countCharacters(text) <= limit) continue;
      showFailure({
        title: (reader) => reader.m.publish.failure.title,
        description: (reader) =>
          describeExcess(text, limit, { language: reader.language, ...reader.m.layout.limit }),
      });
      return focus(ids[field]);
    }
    const missing = !image
      ? ids.image
      : !title.trim()
        ? ids.title
        : !content.trim()
          ? ids.content
          : undefined;
    setChecked(missing !== undefined);
    if (image && !missing && !chooser.checking) return void publish({ ...draft, image });
    showFailure({
      title: (reader) => reader.m.publish.missingFields.title,
      description: (reader) => reader.m.publish.missingFields.description,
    });
    if (missing) focus(missing);
  };
  const cancel = (event: MouseEvent) => {
    // The link opens in another tab or window then, and the work continues here.
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) publishing.cancel();
  };
  const safeLength = new Intl.NumberFormat(language).format(SAFE_CONTENT_LENGTH);
  const isLong = useHasModel() && draft.content.length > SAFE_CONTENT_LENGTH;

  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,24rem)_1fr]"
    >
      <ImageField
        id={ids.image}
        image={draft.image}
        error={chooser.problem ?? (isChecked && !draft.image ? words.image.missing : undefined)}
        checking={chooser.checking}
        disabled={busy}
        onChoose={chooser.choose}
      />
      <div className="grid content-start gap-6">
        {state.isRestored && !busy && <DraftNote state={state} onDiscarded={() => focus(ids.title)} />}
        <TitleField
          id={ids.title}
          label={words.titleField.label}
          limit={DOCUMENT_LIMITS.title}
          value={draft.title}
          readOnly={busy}
          error={errorOf('title', words.titleField.missing)}
          markdownNote={words.titleField.markdown}
          onTitle={(title) => void change({ title })}
          onEnter={() => focus(ids.content)}
          className="text-xl!"
        />
        <TextArea
          id={ids.content}
          label={words.contentField.label}
          hint={isLong ? words.contentField.long(safeLength) : words.contentField.hint}
          limit={DOCUMENT_LIMITS.content}
          rows={14}
          dir="auto"
          value={draft.content}
          readOnly={busy}
          error={errorOf('content', words.contentField.missing)}
          onChange={({ target }) => void change({ content: target.value })}
          className="field-sizing-content min-h-80 font-serif text-lg"
        />
        {phase?.name === 'session-ended' && status === 'anonymous' && (
          <SessionEnded
            description={words.sessionEnded.description}
            onReturn={() => publishButton.current?.focus()}
          />
        )}
        <div className="flex flex-wrap items-center justify-end gap-3">
          <Button variant="quiet" disabled={busy} busy={isTaking} onClick={onDesk} className="-ml-3 mr-auto">
            {words.desk.action}
          </Button>
          {phase?.name === 'publishing' ? (
            <Button variant="outline" disabled>
              {words.cancel}
            </Button>
          ) : (
            <Link to="/" onClick={cancel} className={buttonClass({ variant: 'outline' })}>
              {words.cancel}
            </Link>
          )}
          <Button ref={publishButton} type="submit" busy={busy} disabled={isTaking}>
            {busyLabel(phase, { m, language }) ?? words.submit}
          </Button>
        </div>
        <p className="text-sm text-muted">{words.desk.hint}</p>
        <p aria-live="polite" className="sr-only">
          {phase?.name === 'uploading' ? words.uploading : busy ? words.publishing : ''}
        </p>
      </div>
    </form>
  );
}

function busyLabel(phase: Phase, { m: { publish: texts }, language }: Reader): string | undefined {
  if (phase?.name === 'uploading') {
    const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(phase.fraction);
    return `${texts.uploading} ${percent}`;
  }
  return phase && phase.name !== 'session-ended' ? texts.publishing : undefined;
}

/** Milliseconds for which a discarded draft can be brought back. */
const UNDO_MS = 20_000;

/** Says that the draft is back, and that it may have been published already. Offers to discard it. */
function DraftNote({ state, onDiscarded }: { state: DraftState; onDiscarded(): void }) {
  const { draft, change, remove } = state;
  const texts = useLanguage().m.publish;
  const [asking, setAsking] = useState(false);
  if (isBlank(draft)) return null;
  const { wasSent } = draft;
  const discard = async () => {
    setAsking(false);
    const { title, content, image } = draft;
    await remove();
    onDiscarded();
    toast.success(
      noticeText(({ m }) => m.publish.discarded),
      {
        duration: UNDO_MS,
        action: {
          label: noticeText(({ m }) => m.publish.undoDiscard),
          onClick: () => void change({ title, content, ...(image && { image }) }),
        },
      },
    );
  };
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-y py-1.5 text-[0.9375rem] ${wasSent ? 'border-accent' : 'border-hairline'}`}
    >
      <p role={wasSent ? 'alert' : undefined} className={wasSent ? 'text-ink' : 'text-muted'}>
        {wasSent ? texts.interrupted : texts.draftRestored}
      </p>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)} className="-mx-3">
        {texts.discardDraft}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.discardDraft}
        description={texts.confirmDiscard}
        cancel={texts.keepDraft}
        confirm={texts.discardDraft}
        onConfirm={() => void discard()}
        onCancel={() => setAsking(false)}
      />
    </div>
  );
}
