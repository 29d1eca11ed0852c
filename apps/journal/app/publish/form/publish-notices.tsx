import { type Action, toast } from 'sonner';
import type { Messages } from '../../language/load-messages.ts';
import type {
  Failed,
  MissingPart,
  PublishOutcome,
  PublishPhase,
  TranslateOutcome,
} from '../publishing/publisher.ts';
import type { RetryOutcome } from '../publishing/retry-translations.ts';
import { countEnded } from '../translation/describe-progress.ts';
import { languageNames, partNames, type Reader } from '../translation/describe-translations.ts';
import type { TranslationFault } from '../translation/translate-part.ts';
import type { PartProgress } from '../translation/translate-parts.ts';
import { describeFaults, describeRetryFailure } from '../translation/translation-faults.ts';
import { TRANSLATION_PARTS } from '../translation/translation-parts.ts';

const TRANSLATING = 'publish-translating';
const FAILURE = 'publish-failure';
/** Milliseconds that a notice with more to read stays. */
const LONG_MS = 12_000;
/** Why a translation is missing, where that tells the author what to do about it. */
const WORTH_TELLING: ReadonlySet<TranslationFault> = new Set(['quota', 'offline', 'cut-off']);

export interface Failure {
  title: string;
  description: string;
  /** Milliseconds that it stays, if longer than others do. */
  duration?: number;
}

/** Says what went wrong, in place of what was said before. */
export function noticeFailure({ title, description, duration }: Failure): void {
  toast.error(title, { id: FAILURE, description, ...(duration ? { duration } : {}) });
}

/** Takes back what is no longer true. */
export function withdrawFailure(): void {
  toast.dismiss(FAILURE);
}

/** Shows the translating notice while a post that is being published is translated, with how far that is. */
export function noticePhase(phase: PublishPhase, m: Messages): void {
  if (phase.name === 'translating' && phase.publishes) noticeTranslating(phase.parts, m);
}

function noticeTranslating(parts: readonly PartProgress[], m: Messages): void {
  const texts = m.publish.translating;
  toast.loading(texts.title, {
    id: TRANSLATING,
    duration: Number.POSITIVE_INFINITY,
    description: (
      <>
        {parts.length === TRANSLATION_PARTS.length && <span>{texts.description} </span>}
        <span className="whitespace-nowrap tabular-nums">
          {texts.progress(countEnded(parts), parts.length)}
        </span>
      </>
    ),
  });
}

/** Asks again for what a post lacks; its progress is told to the function that is handed in. */
export type Retry = (onProgress: (parts: readonly PartProgress[]) => void) => Promise<RetryOutcome>;

/** Says how a publish ended (docs/spec/product.md section 8), and which translations are missing, with a way to ask again. */
export function noticeOutcome(outcome: PublishOutcome, reader: Reader, retry: Retry): void {
  toast.dismiss(TRANSLATING);
  if (outcome.kind !== 'published') {
    noticeUnfinished(outcome, reader.m);
    return;
  }
  const { success } = reader.m.publish;
  const allMissing = outcome.missing.length === TRANSLATION_PARTS.length;
  // The last one stands in front: first that it is published, then, as that goes, what is missing.
  if (outcome.missing.length > 0) warnOfMissing(outcome.missing, reader, retry);
  toast.success(success.title, {
    description: allMissing ? success.withoutTranslations : success.withTranslations,
  });
}

/** Says why nothing came of it, or that it was cancelled. */
export function noticeUnfinished(
  outcome: Exclude<PublishOutcome | TranslateOutcome, { kind: 'published' | 'translated' }>,
  m: Messages,
): void {
  const { cancelled } = m.publish;
  if (outcome.kind === 'failed') noticeFailure(describeFailure(outcome, m));
  else toast(cancelled.title, { description: cancelled.description });
}

function warnOfMissing(missing: readonly MissingPart[], reader: Reader, retry: Retry): void {
  const { missingTranslations: texts } = reader.m.publish;
  const allMissing = missing.length === TRANSLATION_PARTS.length;
  const notConfigured = missing.some(({ fault }) => fault === 'not-configured');
  toast.warning(allMissing ? texts.allMissing : texts.title, {
    description: notConfigured ? texts.notConfigured : describeMissing(missing, reader),
    duration: LONG_MS,
    ...(!notConfigured && { action: tryAgain(reader, retry) }),
  });
}

function describeMissing(missing: readonly MissingPart[], reader: Reader): string {
  const { missingTranslations: texts, translations } = reader.m.publish;
  const allMissing = missing.length === TRANSLATION_PARTS.length;
  const told = missing.filter(({ fault }) => WORTH_TELLING.has(fault));
  if (allMissing && told.length === 0) return texts.allDescription;
  const where = allMissing ? translations.standsIn : texts.description(partNames(missing, reader));
  return `${where} ${describeFaults(told, reader.m)}`.trim();
}

function tryAgain(reader: Reader, retry: Retry): Action {
  return {
    label: reader.m.publish.translations.tryAgain,
    onClick: () => void retryByNotice(reader, retry),
  };
}

/** Wherever the author is by now: the notices go along. */
async function retryByNotice(reader: Reader, retry: Retry): Promise<void> {
  const { m } = reader;
  const outcome = await retry((parts) => noticeTranslating(parts, m));
  toast.dismiss(TRANSLATING);
  if (outcome.kind === 'failed') {
    const isOver = outcome.reason === 'gone' || outcome.reason === 'session-ended';
    toast.error(m.publish.missingTranslations.title, {
      description: describeRetryFailure(outcome, m),
      duration: LONG_MS,
      ...(!isOver && { action: tryAgain(reader, retry) }),
    });
  } else if (outcome.missing.length > 0) {
    warnOfMissing(outcome.missing, reader, retry);
  } else {
    toast.success(
      outcome.translated.length > 0
        ? m.publish.translations.nowTranslated(languageNames(outcome.translated, reader))
        : m.publish.translations.allDone,
    );
  }
}

function describeFailure({ reason }: Failed, m: Messages): Failure {
  const { failure, sessionEnded, image } = m.publish;
  // The form itself says that the session has ended, and stays until somebody signs in.
  if (reason === 'session-ended') return { title: sessionEnded.title, description: sessionEnded.description };
  if (reason === 'elsewhere') return { title: failure.title, description: failure.elsewhere };
  const why: Partial<Record<typeof reason, string>> = {
    offline: failure.offline,
    forbidden: failure.forbidden,
    unreadable: image.unreadable,
    'not-an-image': image.notAnImage,
    'storage-full': failure.storageFull,
    'quota-exceeded': failure.quotaExceeded,
  };
  return {
    title: failure.title,
    description: `${failure.description} ${why[reason] ?? failure.kept}`,
    duration: LONG_MS,
  };
}
