import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TRANSLATION_PARTS } from '../../project/translation-parts.ts';
import { languageName } from '../language/language-names.ts';
import { noticeText, type WriteText } from '../language/notice-text.tsx';
import { NOTICE_LINK_CLASS } from '../ui/button-class.ts';
import { toast } from '../ui/toasts.tsx';
import { describeFailure, isSessionEnded, type Reader } from './failures.ts';
import type { PreparedPost } from './publish-post.ts';
import type { MissingPart, TranslationFault } from './translate-post.ts';

/** A notice replaces the one that is shown with the same id. */
const TRANSLATING = 'publish-translating';
const FAILURE = 'publish-failure';
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
  dismissFailure();
  toast.error(noticeText(title), {
    id: FAILURE,
    description: noticeText(description),
    ...(duration ? { duration } : {}),
  });
}

/** Removes the error that is shown. */
export function dismissFailure(): void {
  toast.dismiss(FAILURE);
}

/** Shows how many of the eight calls have ended (docs/spec/product.md section 8). */
export function showTranslating(ended: number): void {
  toast.loading(
    noticeText(({ m }) => m.publish.translating.title),
    {
      id: TRANSLATING,
      duration: Number.POSITIVE_INFINITY,
      description: noticeText(({ m }) => (
        <>
          <span>{m.publish.translating.description} </span>
          <span className="whitespace-nowrap tabular-nums">
            {m.publish.translating.progress(ended, TRANSLATION_PARTS.length)}
          </span>
        </>
      )),
    },
  );
}

type PublishedPost = Pick<PreparedPost, 'missing' | 'allMissing'>;

/** Shows that a post is published, and which translations it lacks. The author stays in the gallery, and may go on to the post. */
export function showPublished(postId: string, { missing, allMissing }: PublishedPost): void {
  toast.dismiss(TRANSLATING);
  const withLink = (describe: (reader: Reader) => ReactNode) =>
    noticeText((reader) => (
      <>
        {describe(reader)}{' '}
        <Link to={`/post/${postId}`} className={NOTICE_LINK_CLASS}>
          {reader.m.publish.success.read}
        </Link>
      </>
    ));
  if (missing.length === 0) {
    toast.success(
      noticeText(({ m }) => m.publish.success.title),
      { description: withLink(({ m }) => m.publish.success.withTranslations), duration: LONG_MS },
    );
    return;
  }
  const title = allMissing ? 'allMissing' : 'title';
  toast.warning(
    noticeText(({ m }) => m.publish.missingTranslations[title]),
    {
      description: withLink((reader) => describeMissing({ missing, allMissing }, reader)),
      duration: LONG_MS,
    },
  );
}

export function showCancelled(): void {
  toast.dismiss(TRANSLATING);
  toast.message(
    noticeText(({ m }) => m.publish.cancelled.title),
    { description: noticeText(({ m }) => m.publish.cancelled.description) },
  );
}

/** Shows why nothing was published. */
export function showUnpublished(error: unknown): void {
  toast.dismiss(TRANSLATING);
  // Shown for the usual time only, because the form shows it too until somebody signs in.
  if (isSessionEnded(error)) {
    showFailure({
      title: ({ m }) => m.publish.sessionEnded.title,
      description: ({ m }) => m.publish.sessionEnded.description,
    });
    return;
  }
  showFailure({
    title: ({ m }) => m.publish.failure.title,
    description: (reader) => (
      <>
        <span>{reader.m.publish.failure.description}</span> <span>{describeFailure(error, reader)}</span>
      </>
    ),
    duration: LONG_MS,
  });
}

/** Shows why what is written here was not taken to the desk. */
export function showUntaken(error: unknown): void {
  showFailure({
    title: ({ m }) => m.publish.failure.title,
    description: (reader) => describeFailure(error, reader),
    duration: LONG_MS,
  });
}

/** Says what is missing and why; each reason is on a line of its own, because several languages may have one. */
function describeMissing({ missing, allMissing }: PublishedPost, reader: Reader): ReactNode {
  const { missingTranslations: texts, translations } = reader.m.publish;
  if (missing.some(({ fault }) => fault === 'not-configured')) return texts.notConfigured;
  const explained = missing.filter(({ fault }) => EXPLAINED_FAULTS.has(fault));
  const where = allMissing ? translations.standsIn : texts.description(partNames(missing, reader));
  const sentences =
    allMissing && explained.length === 0 ? [texts.allDescription] : [where, ...listFaults(explained, reader)];
  return [...sentences, texts.completed].map((sentence) => (
    <span key={sentence} className="block not-first:mt-1.5">
      {sentence}{' '}
    </span>
  ));
}

/** Returns "title in French, text in German" in the reader's language. */
function partNames(parts: readonly MissingPart[], { m, language }: Reader): string {
  const { titleIn, contentIn } = m.publish.missingTranslations;
  return parts
    .map((part) => (part.field === 'title' ? titleIn : contentIn)(languageName(part.language, language)))
    .join(', ');
}

/** Returns sentences that explain why translations are missing, each once. Numbers that contradict are named with their language. */
function listFaults(missing: readonly MissingPart[], { m, language }: Reader): string[] {
  const { faults, contradiction: texts } = m.publish.translations;
  const quote = (words: string | null) => (words === null ? texts.absent : texts.quoted(words));
  const sentences = missing.map(({ fault, contradiction, language: translated }) =>
    contradiction
      ? texts.pair(languageName(translated, language), {
          original: quote(contradiction.original),
          translated: quote(contradiction.translated),
        })
      : faults[fault],
  );
  return [...new Set(sentences)];
}
