import { toast } from 'sonner';
import type { Language } from '../language/languages.ts';
import type { Messages } from '../language/load-messages.ts';
import type { PublishOutcome, PublishPhase } from './publish-post.ts';
import { TRANSLATION_PARTS, type TranslationPart } from './translate-post.ts';

const TRANSLATING = 'publish-translating';
const FAILURE = 'publish-failure';
/** Milliseconds that a notice with more to read stays. */
const LONG_MS = 12_000;

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

/** Shows the translating notice while that goes on, with how far it is. */
export function noticePhase(phase: PublishPhase, m: Messages): void {
  const texts = m.publish.translating;
  if (phase.name !== 'translating') return;
  toast.loading(texts.title, {
    id: TRANSLATING,
    duration: Number.POSITIVE_INFINITY,
    description: (
      <>
        <span>{texts.description}</span>{' '}
        <span className="whitespace-nowrap tabular-nums">{texts.progress(phase.done, phase.total)}</span>
      </>
    ),
  });
}

/** In whose language notices speak. */
export interface Reader {
  m: Messages;
  language: Language;
}

/** Says how a publish ended (product.md section 8), and which translations are missing. */
export function noticeOutcome(outcome: PublishOutcome, { m, language }: Reader): void {
  toast.dismiss(TRANSLATING);
  if (outcome.kind === 'failed') {
    noticeFailure(describeFailure(outcome, m));
    return;
  }
  const { success, cancelled } = m.publish;
  if (outcome.kind === 'cancelled') {
    toast(cancelled.title, { description: cancelled.description });
    return;
  }
  const allMissing = outcome.missing.length === TRANSLATION_PARTS.length;
  // The last one stands in front: first that it is published, then, as that goes, what is missing.
  if (outcome.missing.length > 0) warnOfMissing(outcome, { m, language });
  toast.success(success.title, {
    description: allMissing ? success.withoutTranslations : success.withTranslations,
  });
}

function warnOfMissing(
  outcome: Extract<PublishOutcome, { kind: 'published' }>,
  { m, language }: Reader,
): void {
  const texts = m.publish.missingTranslations;
  const allMissing = outcome.missing.length === TRANSLATION_PARTS.length;
  toast.warning(allMissing ? texts.allMissing : texts.title, {
    description: outcome.notConfigured
      ? texts.notConfigured
      : allMissing
        ? texts.allDescription
        : texts.description(outcome.missing.map((part) => partName(part, { m, language })).join(', ')),
    duration: LONG_MS,
  });
}

function describeFailure({ reason }: Extract<PublishOutcome, { kind: 'failed' }>, m: Messages): Failure {
  const { failure, sessionEnded, image } = m.publish;
  // The form itself says that the session has ended, and stays until somebody signs in.
  if (reason === 'session-ended') return { title: sessionEnded.title, description: sessionEnded.description };
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

/** "title in French", in the reader's language. */
function partName(part: TranslationPart, { m, language }: Reader): string {
  const texts = m.publish.missingTranslations;
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(part.language) ?? part.language;
  return part.field === 'title' ? texts.titleIn(name) : texts.contentIn(name);
}
