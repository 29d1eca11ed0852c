import type { ReactNode } from 'react';
import { describeTooMany } from '../../client/too-many.ts';
import { noticeText, type WriteText } from '../../language/notice-text.tsx';
import { createToastSlot, type NoticeAction, toast } from '../../ui/toasts.tsx';
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
  title: WriteText;
  description: WriteText;
  /** Milliseconds that the notice is shown, if longer than usual. */
  duration?: number;
}

/** Shows an error, which replaces the one before and is announced anew. */
export function showFailure({ title, description, duration }: FailureNotice): void {
  failure.clear();
  toast.error(noticeText(title), {
    ...failure.next(),
    description: noticeText(description),
    ...(duration ? { duration } : {}),
  });
}

/** Removes the error that is shown. */
export function dismissFailure(): void {
  failure.clear();
}

/** Shows the progress of the translations while a post is being published. */
export function showPhase(phase: PublishPhase): void {
  if (phase.name === 'translating' && phase.publishes) showTranslating(phase.parts);
}

function showTranslating(parts: readonly PartProgress[]): void {
  toast.loading(
    noticeText(({ m }) => m.publish.translating.title),
    {
      ...translating.next(),
      duration: Number.POSITIVE_INFINITY,
      description: noticeText(({ m }) => (
        <>
          {parts.length === TRANSLATION_PARTS.length && <span>{m.publish.translating.description} </span>}
          <span className="whitespace-nowrap tabular-nums">
            {m.publish.translating.progress(countSettled(parts), parts.length)}
          </span>
        </>
      )),
    },
  );
}

/** Requests a post's missing translations again, and reports its progress to the given function. */
export type Retry = (onProgress: (parts: readonly PartProgress[]) => void) => Promise<RetryOutcome>;

/**
 * Shows how a publish ended (docs/spec/product.md section 8) and which translations are missing, with a button that
 * requests them again.
 */
export function showOutcome(outcome: PublishOutcome, retry: Retry): void {
  translating.clear();
  if (outcome.kind !== 'published') showUnfinished(outcome);
  else if (outcome.missing.length > 0) showMissing(outcome.missing, retry);
  else {
    toast.success(
      noticeText(({ m }) => m.publish.success.title),
      { description: noticeText(({ m }) => m.publish.success.withTranslations) },
    );
  }
}

/** Shows why nothing was published or translated. */
export function showUnfinished(
  outcome: Exclude<PublishOutcome | TranslateOutcome, { kind: 'published' | 'translated' }>,
): void {
  if (outcome.kind === 'failed') showFailure(describeFailure(outcome));
  else {
    toast.message(
      noticeText(({ m }) => m.publish.cancelled.title),
      { description: noticeText(({ m }) => m.publish.cancelled.description) },
    );
  }
}

function showMissing(missing: readonly MissingPart[], retry: Retry): void {
  const title = missing.length === TRANSLATION_PARTS.length ? 'allMissing' : 'title';
  toast.warning(
    noticeText(({ m }) => m.publish.missingTranslations[title]),
    {
      description: noticeText((reader) => describeMissing(missing, reader)),
      duration: LONG_MS,
      ...(missing.some(canHelpToRetry) && { action: retryAction(retry) }),
    },
  );
}

/** Says what is missing and why; each reason stands on a line of its own, because several languages may have one. */
function describeMissing(missing: readonly MissingPart[], reader: Reader): ReactNode {
  const { missingTranslations: texts, translations } = reader.m.publish;
  if (missing.some(({ fault }) => fault === 'not-configured')) return texts.notConfigured;
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

function retryAction(retry: Retry): NoticeAction {
  return {
    label: noticeText(({ m }) => m.publish.translations.tryAgain),
    onClick: () => void retryFromNotice(retry),
  };
}

/** Retries on any page, because notices stay while the author moves between pages. */
async function retryFromNotice(retry: Retry): Promise<void> {
  const outcome = await retry(showTranslating);
  translating.clear();
  if (outcome.kind === 'failed') {
    const isFinal = outcome.reason === 'gone' || outcome.reason === 'session-ended';
    toast.error(
      noticeText(({ m }) => m.publish.missingTranslations.title),
      {
        description: noticeText(({ m }) => describeRetryFailure(outcome, m)),
        duration: LONG_MS,
        ...(!isFinal && { action: retryAction(retry) }),
      },
    );
  } else if (outcome.missing.length > 0) {
    showMissing(outcome.missing, retry);
  } else {
    const { translated } = outcome;
    toast.success(
      noticeText((reader) => {
        const { nowTranslated, allDone } = reader.m.publish.translations;
        return translated.length > 0 ? nowTranslated(languageNames(translated, reader)) : allDone;
      }),
    );
  }
}

function describeFailure({ reason, error }: Failed): FailureNotice {
  // Shown for the usual time only, because the form shows it too until somebody signs in.
  if (reason === 'session-ended') {
    return {
      title: ({ m }) => m.publish.sessionEnded.title,
      description: ({ m }) => m.publish.sessionEnded.description,
    };
  }
  const title: WriteText = ({ m }) => m.publish.failure.title;
  if (reason === 'elsewhere') return { title, description: ({ m }) => m.publish.failure.elsewhere };
  return {
    title,
    description: (reader) => (
      <>
        <span>{reader.m.publish.failure.description}</span>{' '}
        <span>
          {describeReason(reason, reader) ?? describeTooMany(error, reader) ?? reader.m.publish.failure.kept}
        </span>
      </>
    ),
    duration: LONG_MS,
  };
}

function describeReason(reason: Failed['reason'], { m }: Reader): string | undefined {
  const { failure: texts, image } = m.publish;
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
  return reasons[reason];
}
