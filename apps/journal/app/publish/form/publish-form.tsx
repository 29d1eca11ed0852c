import { type FormEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { checkImage, type ImageProblem } from '../../images/image-file.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDraft } from '../draft/use-draft.ts';
import type { Publisher, PublishPhase } from '../publishing/publisher.ts';
import type { Reader } from '../translation/describe-translations.ts';
import { reviewTranslations } from '../translation/review-translations.ts';
import { MAX_CONTENT_LENGTH, MAX_TITLE_LENGTH } from '../translation/translate-part.ts';
import { ImageField } from './image-field.tsx';
import { noticeFailure, withdrawFailure } from './publish-notices.tsx';
import { PublishProgress } from './publish-progress.tsx';
import { SessionEnded } from './session-ended.tsx';
import { TranslationPanel } from './translation-panel.tsx';
import { usePublish } from './use-publish.ts';
import { useTranslateAhead } from './use-translate-ahead.ts';

export interface PublishFormProps {
  authorId: string;
  publisher: Publisher;
  phase: PublishPhase;
}

/** The form, its draft, and what a press on Publish sets going. */
export function PublishForm({ authorId, publisher, phase }: PublishFormProps) {
  const { m, language } = useLanguage();
  const texts = m.publish;
  const { status } = useAuth();
  const draft = useDraft(authorId);
  const chooser = useImageChooser(draft.setImage);
  /** Which missing fields were complained of. */
  const [complained, setComplained] = useState<'none' | 'texts' | 'all'>('none');
  const publishButton = useRef<HTMLButtonElement>(null);
  const panelHeading = useRef<HTMLHeadingElement>(null);
  const ids = { image: useId(), title: useId(), content: useId() };
  const publish = usePublish({ authorId, publisher, draft });
  const busy = phase.name !== 'idle' && phase.name !== 'session-ended';
  const [title, content] = [draft.title.trim(), draft.content.trim()];
  const reviewed = reviewTranslations({ title, content }, draft.achieved);
  const ahead = useTranslateAhead({ authorId, publisher, store: draft.store });
  const translating = phase.name === 'translating';
  const translatingAhead = translating && !phase.publishes;

  const cancel = (event: MouseEvent) => {
    // Another tab or window is for looking at something else meanwhile.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    publisher.cancel(draft.store);
  };
  /** The note goes with the draft, so the focus moves on. */
  const discard = () => {
    publisher.cancel(draft.store);
    draft.discard();
    document.getElementById(ids.title)?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { image } = draft;
    if (title && content && image && !chooser.checking) {
      setComplained('none');
      publish({ title, content, image });
      return;
    }
    setComplained('all');
    noticeFailure(texts.missingFields);
    const missing = !image ? ids.image : !title ? ids.title : ids.content;
    document.getElementById(missing)?.focus();
  };
  const translateAhead = () => {
    if (!title || !content) {
      setComplained((before) => (before === 'none' ? 'texts' : before));
      document.getElementById(title ? ids.content : ids.title)?.focus();
      return;
    }
    // In time, before the button that was pressed is busy and lets go of the focus.
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
        error={chooser.problem ?? (complained === 'all' && !draft.image ? texts.image.missing : undefined)}
        checking={chooser.checking}
        disabled={busy}
        onChoose={chooser.choose}
      />
      <div className="grid content-start gap-6">
        {draft.restored && !busy && <DraftNote onDiscard={discard} />}
        <TextField
          id={ids.title}
          label={texts.titleField.label}
          maxLength={MAX_TITLE_LENGTH}
          value={draft.title}
          readOnly={busy}
          error={complained !== 'none' && !title ? texts.titleField.missing : undefined}
          onChange={(event) => draft.setTexts({ title: event.target.value })}
          className="font-serif text-xl"
        />
        <TextArea
          id={ids.content}
          label={texts.contentField.label}
          hint={texts.contentField.hint}
          rows={14}
          maxLength={MAX_CONTENT_LENGTH}
          value={draft.content}
          readOnly={busy}
          error={complained !== 'none' && !content ? texts.contentField.missing : undefined}
          onChange={(event) => draft.setTexts({ content: event.target.value })}
          className="font-serif text-lg"
        />
        {phase.name === 'session-ended' && status === 'anonymous' && (
          <SessionEnded
            description={texts.sessionEnded.description}
            onReturn={() => publishButton.current?.focus()}
          />
        )}
        {(translating || phase.name === 'publishing' || reviewed.some(({ status }) => status !== 'open')) && (
          <TranslationPanel
            reviewed={reviewed}
            phase={phase}
            headingRef={panelHeading}
            onRetry={translateAhead}
          />
        )}
        <PublishProgress phase={phase} result={ahead.result} />
        <div className="flex flex-wrap justify-end gap-3">
          {phase.name === 'publishing' ? (
            <Button variant="outline" disabled>
              {texts.cancel}
            </Button>
          ) : (
            <Link to="/" onClick={cancel} className={buttonClass({ variant: 'outline' })}>
              {texts.cancel}
            </Link>
          )}
          {(translatingAhead || reviewed.some(({ status }) => status === 'open')) && (
            <Button
              variant="outline"
              busy={translatingAhead}
              disabled={busy && !translatingAhead}
              onClick={translateAhead}
            >
              {translatingAhead ? texts.translations.busy : texts.translations.ahead}
            </Button>
          )}
          <Button
            ref={publishButton}
            type="submit"
            busy={busy && !translatingAhead}
            disabled={translatingAhead}
          >
            {busyLabel(phase, { m, language }) ?? texts.submit}
          </Button>
        </div>
      </div>
    </form>
  );
}

function busyLabel(phase: PublishPhase, { m: { publish: texts }, language }: Reader): string | undefined {
  if (phase.name === 'uploading') {
    const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(phase.fraction);
    return `${texts.uploading} ${percent}`;
  }
  const publishes = phase.name === 'publishing' || (phase.name === 'translating' && phase.publishes);
  return publishes ? texts.publishing : undefined;
}

function DraftNote({ onDiscard }: { onDiscard: () => void }) {
  const { m } = useLanguage();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-y border-hairline py-1.5 text-[0.9375rem]">
      <p className="text-muted">{m.publish.draftRestored}</p>
      <Button variant="quiet" size="small" onClick={onDiscard} className="-mx-3">
        {m.publish.discardDraft}
      </Button>
    </div>
  );
}

/** Looks at a chosen file before it takes the place of the one before. */
function useImageChooser(onChosen: (image: File) => void) {
  const { m } = useLanguage();
  const texts = m.publish.image;
  const [problem, setProblem] = useState<{ kind: ImageProblem; bytes: number }>();
  const [checking, setChecking] = useState(false);
  const latest = useRef<File>(undefined);
  const describe = ({ kind, bytes }: { kind: ImageProblem; bytes: number }) =>
    ({ 'not-an-image': texts.notAnImage, 'too-large': texts.tooLarge(bytes), unreadable: texts.unreadable })[
      kind
    ];

  const choose = async (file: File) => {
    latest.current = file;
    setChecking(true);
    const kind = await checkImage(file);
    if (latest.current !== file) return;
    setChecking(false);
    setProblem(kind ? { kind, bytes: file.size } : undefined);
    if (kind) {
      noticeFailure({ title: m.publish.failure.title, description: describe({ kind, bytes: file.size }) });
      return;
    }
    withdrawFailure();
    onChosen(file);
  };
  return { choose, checking, problem: problem && describe(problem) };
}
