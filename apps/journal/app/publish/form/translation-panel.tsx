import { Check, ChevronDown, CircleAlert, CircleDashed, LoaderCircle } from 'lucide-react';
import type { RefObject } from 'react';
import { LANGUAGES, type LanguageChoice } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import type { PublishPhase } from '../publishing/post-publisher.ts';
import { describeFaults } from '../translation/describe-translations.ts';
import type { ReviewedPart } from '../translation/review-translations.ts';
import { canHelpToRetry } from '../translation/translate-part.ts';
import { isSamePart } from '../translation/translation-parts.ts';

export interface TranslationPanelProps {
  /** All eight parts. */
  reviewed: readonly ReviewedPart[];
  phase: PublishPhase;
  /** Receives the focus when the button that had it becomes busy. */
  headingRef: RefObject<HTMLHeadingElement | null>;
  onRetry(): void;
}

type Status = ReviewedPart['status'] | 'waiting';

const STATUS_ICONS: Record<Status, { Icon: typeof Check; look: string }> = {
  done: { Icon: Check, look: 'text-success' },
  waiting: { Icon: LoaderCircle, look: 'animate-spin motion-reduce:animate-none' },
  failed: { Icon: CircleAlert, look: 'text-accent' },
  open: { Icon: CircleDashed, look: '' },
};

/** Lists the eight translations by language, each with its status and, where it is done, its text. */
export function TranslationPanel({ reviewed, phase, headingRef, onRetry }: TranslationPanelProps) {
  const { m, language } = useLanguage();
  const texts = m.publish.translations;
  const waiting =
    phase.name === 'translating' ? phase.parts.filter(({ status }) => status === 'waiting') : [];
  const statusOf = (part: ReviewedPart): Status =>
    waiting.some((one) => isSamePart(one, part)) ? 'waiting' : part.status;
  const failed = reviewed.filter((part) => part.status === 'failed');
  const isIdle = phase.name === 'idle';
  // The button beside Publish requests the failed ones together with these.
  const someOpen = reviewed.some(({ status }) => status === 'open');
  return (
    <section aria-labelledby={HEADING_ID} className="grid gap-1">
      <h2 id={HEADING_ID} ref={headingRef} tabIndex={-1} className="text-sm font-medium outline-none">
        {texts.heading}
      </h2>
      <ul className="border-b border-hairline">
        {LANGUAGES.map((choice) => (
          <LanguageRow
            key={choice.code}
            choice={choice}
            parts={reviewed.filter((part) => part.language === choice.code)}
            statusOf={statusOf}
          />
        ))}
      </ul>
      {isIdle && failed.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 pt-1.5 text-[0.9375rem]">
          <p className="flex-1 basis-64 text-muted">
            {describeFaults(failed, { m, language })} {texts.standsIn}
          </p>
          {!someOpen && failed.some(canHelpToRetry) && (
            <Button variant="outline" size="small" onClick={onRetry}>
              {texts.tryAgain}
            </Button>
          )}
        </div>
      )}
      {isIdle && someOpen && <p className="pt-1.5 text-[0.9375rem] text-muted">{texts.openParts}</p>}
    </section>
  );
}

const HEADING_ID = 'translations';

interface LanguageRowProps {
  choice: LanguageChoice;
  /** The title and the content. */
  parts: readonly ReviewedPart[];
  statusOf(part: ReviewedPart): Status;
}

/** Shows a language with the status of its two parts; expands to the translated text. */
function LanguageRow({ choice: { code, name }, parts, statusOf }: LanguageRowProps) {
  const readable = parts.flatMap((part) => (part.status === 'done' ? [part] : []));
  const summary = (
    <>
      <span lang={code} className="min-w-24 flex-1">
        {name}
      </span>
      {parts.map((part) => (
        <StatusMark key={part.field} field={part.field} status={statusOf(part)} />
      ))}
    </>
  );
  const row = 'flex min-h-10 items-center gap-x-4 py-1.5 text-[0.9375rem]';
  return (
    <li className="border-t border-hairline">
      {readable.length === 0 ? (
        <div className={`${row} pr-8`}>{summary}</div>
      ) : (
        <details className="group">
          <summary className={`${row} hover:text-accent`}>
            {summary}
            <ChevronDown
              aria-hidden="true"
              className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180 motion-reduce:transition-none"
            />
          </summary>
          <div lang={code} className="grid gap-3 pt-1 pb-5">
            {readable.map(({ field, text }) =>
              field === 'title' ? (
                <p key={field} className="font-serif text-xl leading-tight [overflow-wrap:anywhere]">
                  {text}
                </p>
              ) : (
                <p key={field} className="prose-text text-base!">
                  {text}
                </p>
              ),
            )}
          </div>
        </details>
      )}
    </li>
  );
}

function StatusMark({ field, status }: { field: ReviewedPart['field']; status: Status }) {
  const { m } = useLanguage();
  const texts = m.publish.translations;
  const { Icon, look } = STATUS_ICONS[status];
  return (
    <span
      data-status={status}
      title={texts.status[status]}
      className="flex items-center gap-1.5 text-sm text-muted"
    >
      <Icon aria-hidden="true" className={`size-4 shrink-0 ${look}`} />
      {texts[field]}
      <span className="sr-only">: {texts.status[status]}</span>
    </span>
  );
}
