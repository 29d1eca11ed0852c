import '../../language/member-messages.ts';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import {
  describeRetryFailure,
  type RetryOutcome,
  retryTranslations,
} from '../../publish/publishing/retry-translations.ts';
import {
  describeFaults,
  describeProgress,
  languageNames,
  type Reader,
} from '../../publish/translation/describe-translations.ts';
import { canHelpToRetry } from '../../publish/translation/translate-part.ts';
import type { PartProgress } from '../../publish/translation/translate-parts.ts';
import { parseParts } from '../../publish/translation/translation-parts.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { PostPage } from '../load-post.ts';

/** Shows the post's owner which languages show the original text, and offers to request the translations again. */
export function MissingTranslations({ post }: { post: Pick<PostPage, 'id' | 'untranslated'> }) {
  const reader = useLanguage();
  const texts = reader.m.publish.translations;
  const { result, progress, retry, isFutile } = useRetry(post.id);
  const status = useRef<HTMLParagraphElement>(null);
  const missing = parseParts(post.untranslated);

  const press = async () => {
    // The button is disabled now and may be removed later, so the focus goes to the text with the result.
    status.current?.focus({ preventScroll: true });
    await retry();
  };
  const untranslated = missing.length > 0 ? texts.notTranslated(languageNames(missing, reader)) : '';
  const words = progress ? describeProgress(progress, reader.m) : `${untranslated} ${result}`.trim();
  if (!words) return null;
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-y border-hairline py-1.5 text-[0.9375rem]">
      <p
        ref={status}
        role="status"
        tabIndex={-1}
        className="min-h-9 flex-1 basis-48 py-1.5 text-muted outline-none tabular-nums"
      >
        {words}
      </p>
      {missing.length > 0 && !isFutile && (
        <Button variant="quiet" size="small" busy={progress !== null} onClick={press} className="-mx-3">
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** Returns a function that requests the missing translations and reloads the page, with its progress and result. */
function useRetry(postId: string) {
  const reader = useLanguage();
  const client = useClient();
  const { revalidate } = useRevalidator();
  const [progress, setProgress] = useState<readonly PartProgress[] | null>(null);
  const [outcome, setOutcome] = useState<RetryOutcome>();
  const busy = useRef(false);

  const retry = async () => {
    if (busy.current) return;
    busy.current = true;
    setOutcome(undefined);
    setProgress([]);
    const settled = await retryTranslations(postId, { client, onProgress: setProgress });
    if (settled.kind === 'retried') await revalidate();
    // This line is for the owner alone and disappears with the session.
    else if (settled.reason === 'session-ended') {
      toast.error(noticeText(({ m }) => describeRetryFailure(settled, m)));
    }
    busy.current = false;
    setProgress(null);
    setOutcome(settled);
  };
  return { retry, progress, ...describe(outcome, reader) };
}

/** Returns the outcome as a sentence; `isFutile` is true where another attempt would end the same way. */
function describe(outcome: RetryOutcome | undefined, reader: Reader) {
  if (!outcome) return { result: '', isFutile: false };
  const { m } = reader;
  if (outcome.kind === 'failed') {
    return { result: describeRetryFailure(outcome, m), isFutile: outcome.reason === 'gone' };
  }
  if (outcome.missing.length > 0) {
    const isFutile = !outcome.missing.some(canHelpToRetry);
    return { result: describeFaults(outcome.missing, reader), isFutile };
  }
  // Nothing was left to translate when another tab was faster.
  const { allDone, nowTranslated } = m.publish.translations;
  const { translated } = outcome;
  return {
    result: translated.length ? nowTranslated(languageNames(translated, reader)) : allDone,
    isFutile: false,
  };
}
