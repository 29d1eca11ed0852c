import type { ReactNode } from 'react';
import type { Action } from 'sonner';
import { describeTooMany } from '../../client/too-many.ts';
import type { Messages } from '../../language/load-messages.ts';
import { createToastSlot, toast } from '../../ui/toasts.tsx';
import type { Failed } from '../publishing/attempt.ts';
import type {
  MissingPart,
  PublishOutcome,
  PublishPhase,
  TranslateOutcome,
} from '../publishing/post-publisher.ts';
import { describeRetryFailure, type RetryOutcome } from '../publishing/retry-translations.ts';
import {
  countSettled,
  languageNames,
  listFaults,
  partNames,
  type Reader,
} from '../translation/describe-translations.ts';
import { canHelpToRetry, type TranslationFault } from '../translation/translate-part.ts';
import type { PartProgress } from '../translation/translate-parts.ts';
import { TRANSLATION_PARTS } from '../translation/translation-parts.ts';

const translating = createToastSlot('publish-translating');
const failure = createToastSlot('publish-failure');
/** A longer notice is shown for this many milliseconds. */
const LONG_MS = 12_000;
/** The author can do something about these faults, so notices explain them. */
const EXPLAINED_FAULTS: ReadonlySet<TranslationFault> = new Set(['quota', 'offline', 'cut-off', 'numbers']);

export interface FailureNotice {
  title: string;
  description: ReactNode;
  /** Milliseconds that the notice is shown, if longer than usual. */
  duration?: number;
}

/** Shows an error, which replaces the one before and is announced anew. */
export function showFailure({ title, description, duration }: FailureNotice): void {
  failure.clear();
  toast.error(title, { ...failure.next(), description, ...(duration ? { duration } : {}) });
}

/** Removes the error that is shown. */
export function dismissFailure(): void {
  failure.clear();
}

/** Shows the progress of the translations while a post is being published. */
export function showPhase(phase: PublishPhase, m: Messages): void {
  if (phase.name === 'translating' && phase.publishes) showTranslating(phase.parts, m);
}

function showTranslating(parts: readonly PartProgress[], m: Messages): void {
  const texts = m.publish.translating;
  toast.loading(texts.title, {
    ...translating.next(),
    duration: Number.POSITIVE_INFINITY,
    description: (
      <>
        {parts.length === TRANSLATION_PARTS.length && <span>{texts.description} </span>}
        <span className="whitespace-nowrap tabular-nums">
          {texts.progress(countSettled(parts), parts.length)}
        </span>
      </>
    ),
  });
}

/** Requests a post's missing translations again, and reports its progress to the given function. */
export type Retry = (onProgress: (parts: readonly PartProgress[]) => void) => Promise<RetryOutcome>;

/**
 * Shows how a publish ended (docs/spec/product.md section 8) and which translations are missing, with a button that
 * requests them again.
 */
export function showOutcome(outcome: PublishOutcome, reader: Reader, retry: Retry): void {
  translating.clear();
  if (outcome.kind !== 'published') showUnfinished(outcome, reader);
  else if (outcome.missing.length > 0) showMissing(outcome.missing, reader, retry);
  else {
    const { success } = reader.m.publish;
    toast.success(success.title, { description: success.withTranslations });
  }
}

/** Shows why nothing was published or translated. */
export function showUnfinished(
  outcome: Exclude<PublishOutcome | TranslateOutcome, { kind: 'published' | 'translated' }>,
  reader: Reader,
): void {
  const { cancelled } = reader.m.publish;
  if (outcome.kind === 'failed') showFailure(describeFailure(outcome, reader));
  else toast.message(cancelled.title, { description: cancelled.description });
}

function showMissing(missing: readonly MissingPart[], reader: Reader, retry: Retry): void {
  const { missingTranslations: texts } = reader.m.publish;
  const allMissing = missing.length === TRANSLATION_PARTS.length;
  const notConfigured = missing.some(({ fault }) => fault === 'not-configured');
  toast.warning(allMissing ? texts.allMissing : texts.title, {
    description: notConfigured ? texts.notConfigured : describeMissing(missing, reader),
    duration: LONG_MS,
    ...(missing.some(canHelpToRetry) && { action: retryAction(reader, retry) }),
  });
}

/** Says what is missing and why; each reason stands on a line of its own, because several languages may have one. */
function describeMissing(missing: readonly MissingPart[], reader: Reader): ReactNode {
  const { missingTranslations: texts, translations } = reader.m.publish;
  const allMissing = missing.length === TRANSLATION_PARTS.length;
  const explained = missing.filter(({ fault }) => EXPLAINED_FAULTS.has(fault));
  if (allMissing && explained.length === 0) return texts.allDescription;
  const missingWhere = allMissing ? translations.standsIn : texts.description(partNames(missing, reader));
  return [missingWhere, ...listFaults(explained, reader)].map((sentence) => (
    <span key={sentence} className="block not-first:mt-1.5">
      {sentence}{' '}
    </span>
  ));
}

function retryAction(reader: Reader, retry: Retry): Action {
  return {
    label: reader.m.publish.translations.tryAgain,
    onClick: () => void retryFromNotice(reader, retry),
  };
}

/** Retries on any page, because notices stay while the author moves between pages. */
async function retryFromNotice(reader: Reader, retry: Retry): Promise<void> {
  const { m } = reader;
  const outcome = await retry((parts) => showTranslating(parts, m));
  translating.clear();
  if (outcome.kind === 'failed') {
    const isFinal = outcome.reason === 'gone' || outcome.reason === 'session-ended';
    toast.error(m.publish.missingTranslations.title, {
      description: describeRetryFailure(outcome, m),
      duration: LONG_MS,
      ...(!isFinal && { action: retryAction(reader, retry) }),
    });
  } else if (outcome.missing.length > 0) {
    showMissing(outcome.missing, reader, retry);
  } else {
    toast.success(
      outcome.translated.length > 0
        ? m.publish.translations.nowTranslated(languageNames(outcome.translated, reader))
        : m.publish.translations.allDone,
    );
  }
}

function describeFailure({ reason, error }: Failed, reader: Reader): FailureNotice {
  const { m } = reader;
  const { failure: texts, sessionEnded, image } = m.publish;
  // Shown for the usual time only, because the form shows it too until somebody signs in.
  if (reason === 'session-ended') return { title: sessionEnded.title, description: sessionEnded.description };
  if (reason === 'elsewhere') return { title: texts.title, description: texts.elsewhere };
  const reasons: Partial<Record<typeof reason, string>> = {
    offline: texts.offline,
    forbidden: texts.forbidden,
    stale: texts.stale,
    unreadable: image.unreadable,
    unconverted: image.unconverted,
    'not-an-image': image.notAnImage,
    'storage-full': texts.storageFull,
    'quota-exceeded': texts.quotaExceeded,
  };
  return {
    title: texts.title,
    description: (
      <>
        <span>{texts.description}</span>{' '}
        <span>{reasons[reason] ?? describeTooMany(error, reader) ?? texts.kept}</span>
      </>
    ),
    duration: LONG_MS,
  };
}
