import type { MouseEvent, Ref } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { isPublisherBusy, type PublishPhase } from '../publishing/post-publisher.ts';
import type { Reader } from '../translation/describe-translations.ts';

export interface PublishActionsProps {
  phase: PublishPhase;
  /** Whether a translation was not requested yet. */
  canTranslate: boolean;
  publishButtonRef: Ref<HTMLButtonElement>;
  onCancel(): void;
  onTranslate(): void;
}

/** Renders the buttons below the form: cancel, translate, and publish, which submits it. */
export function PublishActions({
  phase,
  canTranslate,
  publishButtonRef,
  onCancel,
  onTranslate,
}: PublishActionsProps) {
  const { m, language } = useLanguage();
  const texts = m.publish;
  const busy = isPublisherBusy(phase);
  const onlyTranslates = phase.name === 'translating' && !phase.publishes;
  const cancel = (event: MouseEvent) => {
    // The link opens in another tab or window then, and the work continues here.
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onCancel();
  };
  return (
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
      {(onlyTranslates || canTranslate) && (
        <Button
          variant="outline"
          busy={onlyTranslates}
          disabled={busy && !onlyTranslates}
          onClick={onTranslate}
        >
          {onlyTranslates ? texts.translations.busy : texts.translations.ahead}
        </Button>
      )}
      <Button ref={publishButtonRef} type="submit" busy={busy && !onlyTranslates} disabled={onlyTranslates}>
        {busyLabel(phase, { m, language }) ?? texts.submit}
      </Button>
    </div>
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
