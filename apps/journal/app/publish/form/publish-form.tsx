import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { describeExcess, useLimitWords } from '../../ui/text-limit.tsx';
import { toast } from '../../ui/toasts.tsx';
import { type DraftState, useDraft } from '../draft/use-draft.ts';
import { useServerDraft } from '../draft/use-server-draft.ts';
import { isPublisherBusy, type PostPublisher, type PublishPhase } from '../publishing/post-publisher.ts';
import { reviewTranslations } from '../translation/review-translations.ts';
import { MAX_CONTENT_LENGTH, MAX_TITLE_LENGTH, SAFE_CONTENT_LENGTH } from '../translation/translate-part.ts';
import { DraftMore, DraftSaved } from './draft-extras.tsx';
import { DraftNote } from './draft-note.tsx';
import { ImageField, useImageChooser } from './image-field.tsx';
import { PublishActions } from './publish-actions.tsx';
import { showFailure } from './publish-notices.tsx';
import { PublishProgress } from './publish-progress.tsx';
import { SessionEnded } from './session-ended.tsx';
import { TranslationPanel } from './translation-panel.tsx';
import { usePublish } from './use-publish.ts';
import { useTranslateAhead } from './use-translate-ahead.ts';

export interface PublishFormProps {
  authorId: string;
  draftId: string;
  publisher: PostPublisher;
  phase: PublishPhase;
}

/** Milliseconds for which a discarded draft can be brought back. */
const UNDO_MS = 20_000;

/** Renders the form for a new post, which edits a draft and publishes it. */
export function PublishForm({ authorId, draftId, publisher, phase }: PublishFormProps) {
  const texts = useLanguage().m.publish;
  const limitWords = useLimitWords();
  const { status } = useAuth();
  const busy = isPublisherBusy(phase);
  const draft = useDraft(draftId, busy);
  const chooser = useImageChooser(draft.setImage);
  /** Fields that show an error while they are empty. */
  const [checked, setChecked] = useState<'none' | 'texts' | 'all'>('none');
  const publishButton = useRef<HTMLButtonElement>(null);
  const panelHeading = useRef<HTMLHeadingElement>(null);
  const ids = { image: useId(), title: useId(), content: useId() };
  const server = useServerDraft({ authorId, draft, busy });
  const publish = usePublish({ publisher, draft, server });
  const [title, content] = [draft.title.trim(), draft.content.trim()];
  const reviewed = reviewTranslations({ title, content }, draft.checkpoint);
  const ahead = useTranslateAhead({ publisher, store: draft.store });
  const hasTranslations = reviewed.some((part) => part.status !== 'open');
  const cancel = () => publisher.cancel(draft.store);

  /** The button is removed with its note, so the focus moves to the first field. */
  const discard = () => {
    cancel();
    server.discard();
    const { title: oldTitle, content: oldContent, details: oldDetails, image } = draft;
    draft.discard();
    const undo = () => {
      // The draft on the server is in the bin: this one is saved as another.
      draft.setTexts({ title: oldTitle, content: oldContent, details: oldDetails });
      if (image) draft.setImage(image);
    };
    toast.success(texts.discarded, {
      duration: UNDO_MS,
      action: { label: texts.undoDiscard, onClick: undo },
    });
    document.getElementById(ids.title)?.focus();
  };
  /** Shows that a text is too long to be sent, and moves the focus to it. Returns whether one is. */
  const refuseExcess = () => {
    const inTitle = describeExcess(title, MAX_TITLE_LENGTH, limitWords);
    const excess = inTitle ?? describeExcess(content, MAX_CONTENT_LENGTH, limitWords);
    if (!excess) return false;
    showFailure({ title: texts.failure.title, description: excess });
    document.getElementById(inTitle ? ids.title : ids.content)?.focus();
    return true;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { image } = draft;
    if (refuseExcess()) return;
    if (title && content && image && !chooser.checking) {
      setChecked('none');
      void publish({ title, content, image, details: draft.details });
      return;
    }
    setChecked('all');
    showFailure(texts.missingFields);
    const missing = !image ? ids.image : !title ? ids.title : ids.content;
    document.getElementById(missing)?.focus();
  };
  const translateAhead = () => {
    if (!title || !content) {
      setChecked((before) => (before === 'none' ? 'texts' : before));
      document.getElementById(title ? ids.content : ids.title)?.focus();
      return;
    }
    if (refuseExcess()) return;
    // Rendered at once, so that the focus can move before the pressed button is disabled and loses it.
    flushSync(() => void ahead.translate({ title, content }));
    panelHeading.current?.focus();
  };

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
        error={chooser.problem ?? (checked === 'all' && !draft.image ? texts.image.missing : undefined)}
        checking={chooser.checking}
        disabled={busy}
        onChoose={chooser.choose}
      />
      <div className="grid content-start gap-6">
        {(draft.restored || draft.interrupted) && !busy && <DraftNote draft={draft} onDiscard={discard} />}
        <TextFields ids={ids} draft={draft} readOnly={busy} checked={checked !== 'none'} />
        <DraftMore draft={draft} readOnly={busy} />
        {phase.name === 'session-ended' && status === 'anonymous' && !draft.isEmpty && (
          <SessionEnded
            description={texts.sessionEnded.description}
            onReturn={() => publishButton.current?.focus()}
          />
        )}
        {(phase.name === 'translating' || phase.name === 'publishing' || hasTranslations) && (
          <TranslationPanel
            reviewed={reviewed}
            phase={phase}
            headingRef={panelHeading}
            onRetry={translateAhead}
          />
        )}
        <PublishProgress phase={phase} result={ahead.result} />
        {!busy && <DraftSaved status={server.status} postId={draft.checkpoint.desk?.id} />}
        <PublishActions
          phase={phase}
          canTranslate={reviewed.some((part) => part.status === 'open')}
          publishButtonRef={publishButton}
          onCancel={cancel}
          onTranslate={translateAhead}
        />
      </div>
    </form>
  );
}

interface TextFieldsProps {
  ids: { title: string; content: string };
  draft: DraftState;
  readOnly: boolean;
  /** Whether empty fields show an error. */
  checked: boolean;
}

function TextFields({ ids, draft, readOnly, checked }: TextFieldsProps) {
  const { m, language } = useLanguage();
  const { titleField, contentField } = m.publish;
  const safeLength = new Intl.NumberFormat(language).format(SAFE_CONTENT_LENGTH);
  return (
    <>
      <TextField
        id={ids.title}
        label={titleField.label}
        limit={MAX_TITLE_LENGTH}
        value={draft.title}
        readOnly={readOnly}
        error={checked && !draft.title.trim() ? titleField.missing : undefined}
        onChange={(event) => draft.setTexts({ title: event.target.value })}
        className="font-serif text-xl"
      />
      <TextArea
        id={ids.content}
        label={contentField.label}
        hint={draft.content.length > SAFE_CONTENT_LENGTH ? contentField.long(safeLength) : contentField.hint}
        rows={14}
        limit={MAX_CONTENT_LENGTH}
        value={draft.content}
        readOnly={readOnly}
        error={checked && !draft.content.trim() ? contentField.missing : undefined}
        onChange={(event) => draft.setTexts({ content: event.target.value })}
        className="font-serif text-lg"
      />
    </>
  );
}
