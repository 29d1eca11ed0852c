import { type FormEvent, type Ref, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAuth } from '../../client/client-context.tsx';
import { useDesk } from '../../desk/use-desk.ts';
import type { TextEditorHandle } from '../../editor/text-editor.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { TitleField } from '../../ui/title-field.tsx';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { type DraftState, useDraft } from '../draft/use-draft.ts';
import { useServerDraft } from '../draft/use-server-draft.ts';
import { isPublisherBusy, type PostPublisher, type PublishPhase } from '../publishing/post-publisher.ts';
import { reviewTranslations } from '../translation/review-translations.ts';
import { MAX_TITLE_LENGTH } from '../translation/translate-part.ts';
import { DraftMore, DraftSaved } from './draft-extras.tsx';
import { DraftNote } from './draft-note.tsx';
import { DraftText } from './draft-text.tsx';
import { EarlierDrafts } from './earlier-drafts.tsx';
import { ImageField, useImageChooser } from './image-field.tsx';
import { PublishActions } from './publish-actions.tsx';
import { showFailure } from './publish-notices.tsx';
import { PublishProgress } from './publish-progress.tsx';
import { SessionEnded } from './session-ended.tsx';
import { TranslationPanel } from './translation-panel.tsx';
import { useDiscard } from './use-discard.ts';
import { sourceTexts, useDraftTexts } from './use-draft-texts.ts';
import { usePublish } from './use-publish.ts';
import { useTranslateAhead } from './use-translate-ahead.ts';

export interface PublishFormProps {
  authorId: string;
  draftId: string;
  publisher: PostPublisher;
  phase: PublishPhase;
  /** Opens another draft of this device, by its number. */
  onOpenDraft(number: number): void;
}

/** Renders the form for a new post, which edits a draft and publishes it. */
export function PublishForm({ authorId, draftId, publisher, phase, onOpenDraft }: PublishFormProps) {
  const words = useLanguage().m.publish;
  const { status } = useAuth();
  const busy = isPublisherBusy(phase);
  const draft = useDraft(draftId, busy);
  const chooser = useImageChooser(draft.setImage);
  /** Fields that show an error while they are empty. */
  const [checked, setChecked] = useState<'none' | 'texts' | 'all'>('none');
  const publishButton = useRef<HTMLButtonElement>(null);
  const panelHeading = useRef<HTMLHeadingElement>(null);
  const ids = { image: useId(), title: useId(), content: useId() };
  const { text, readTexts, refuseExcess } = useDraftTexts(draft, ids);
  const server = useServerDraft({ authorId, draft, busy });
  const desk = useDesk();
  // Without it, nothing is offered.
  const { data: canDescribe = false } = useLoadedData(authorId, () =>
    desk.describesPictures().catch(() => false),
  );
  const publish = usePublish({ publisher, draft, server });
  const reviewed = reviewTranslations(sourceTexts(draft), draft.checkpoint);
  const ahead = useTranslateAhead({ publisher, store: draft.store });
  const hasTranslations = reviewed.some((part) => part.status !== 'open');
  const cancel = () => publisher.cancel(draft.store);

  const discard = useDiscard({ draft, server, cancel });
  /** The button is removed with its note, so the focus moves to the first field. */
  const discardAll = () => {
    discard();
    document.getElementById(ids.title)?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { image, sources, details } = draft;
    const texts = readTexts();
    const { title, content } = texts;
    if (refuseExcess(texts)) return;
    if (title && content && image && !chooser.checking) {
      setChecked('none');
      void publish({ ...texts, sources, image, details });
      return;
    }
    setChecked('all');
    showFailure({
      title: ({ m }) => m.publish.missingFields.title,
      description: ({ m }) => m.publish.missingFields.description,
    });
    const missing = !image ? ids.image : !title ? ids.title : ids.content;
    document.getElementById(missing)?.focus();
  };
  const translateAhead = () => {
    const { contentFormat, ...texts } = readTexts();
    const { title, content } = texts;
    if (!title || !content) {
      setChecked((before) => (before === 'none' ? 'texts' : before));
      document.getElementById(title ? ids.content : ids.title)?.focus();
      return;
    }
    if (refuseExcess(texts)) return;
    // Rendered at once, so that the focus can move before the pressed button is disabled and loses it.
    flushSync(() => void ahead.translate(texts, contentFormat));
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
        error={chooser.problem ?? (checked === 'all' && !draft.image ? words.image.missing : undefined)}
        checking={chooser.checking}
        disabled={busy}
        onChoose={chooser.choose}
      />
      <div className="grid content-start gap-6">
        {(draft.restored || draft.interrupted) && !busy && <DraftNote draft={draft} onDiscard={discardAll} />}
        {!busy && isBlank(draft) && (
          <EarlierDrafts authorId={authorId} draftId={draftId} onOpen={onOpenDraft} />
        )}
        <TextFields
          authorId={authorId}
          ids={ids}
          draft={draft}
          canDescribe={canDescribe}
          readOnly={busy}
          checked={checked !== 'none'}
          text={text}
        />
        <DraftMore draft={draft} canDescribe={canDescribe} readOnly={busy} />
        {phase.name === 'session-ended' && status === 'anonymous' && !draft.isEmpty && (
          <SessionEnded
            description={words.sessionEnded.description}
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

function isBlank({ title, content, image }: DraftState): boolean {
  return !title.trim() && !content.trim() && !image;
}

interface TextFieldsProps {
  authorId: string;
  ids: { title: string; content: string };
  draft: DraftState;
  canDescribe: boolean;
  readOnly: boolean;
  /** Whether empty fields show an error. */
  checked: boolean;
  text: Ref<TextEditorHandle>;
}

function TextFields({ authorId, ids, draft, canDescribe, readOnly, checked, text }: TextFieldsProps) {
  const { titleField, contentField } = useLanguage().m.publish;
  return (
    <>
      <TitleField
        id={ids.title}
        label={titleField.label}
        limit={MAX_TITLE_LENGTH}
        lang={draft.details.language ?? undefined}
        value={draft.title}
        readOnly={readOnly}
        error={checked && !draft.title.trim() ? titleField.missing : undefined}
        onTitle={(title) => draft.setTexts({ title })}
        onEnter={() => document.getElementById(ids.content)?.focus()}
        className="text-xl!"
      />
      <DraftText
        id={ids.content}
        authorId={authorId}
        draft={draft}
        canDescribe={canDescribe}
        readOnly={readOnly}
        error={checked && !draft.content.trim() ? contentField.missing : undefined}
        ref={text}
      />
    </>
  );
}
