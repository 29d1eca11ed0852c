import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { toast } from 'sonner';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { type RetryOutcome, retryTranslations } from '../../publish/publishing/retry-translations.ts';
import { whileAlone } from '../../publish/publishing/while-alone.ts';
import { describeProgress } from '../../publish/translation/describe-progress.ts';
import { languageNames, type Reader } from '../../publish/translation/describe-translations.ts';
import type { PartProgress } from '../../publish/translation/translate-parts.ts';
import { describeFaults, describeRetryFailure } from '../../publish/translation/translation-faults.ts';
import { parseParts } from '../../publish/translation/translation-parts.ts';
import { Button } from '../../ui/button.tsx';
import type { PostPage } from '../load-post.ts';

/** For the post's owner: the languages that show the original for want of a translation, and a way to ask again. */
export function Untranslated({ post }: { post: Pick<PostPage, 'id' | 'untranslated'> }) {
  const reader = useLanguage();
  const texts = reader.m.publish.translations;
  const { result, progress, retry, isFutile } = useRetry(post.id);
  const status = useRef<HTMLParagraphElement>(null);
  const missing = parseParts(post.untranslated);

  const press = async () => {
    // The button is busy, and perhaps gone afterwards: what it brings about is said here.
    status.current?.focus({ preventScroll: true });
    await retry();
  };
  const lacking = missing.length > 0 ? texts.notTranslated(languageNames(missing, reader)) : '';
  const words = progress ? describeProgress(progress, reader.m) : `${lacking} ${result}`.trim();
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

/** Asks again, keeps what comes, and loads the page anew so that it shows it. */
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
    const ended = await retryTranslations(postId, { client, whileAlone, onProgress: setProgress });
    if (ended.kind === 'retried') await revalidate();
    // With the session goes this line, which is for the owner alone.
    else if (ended.reason === 'session-ended') toast.error(describeRetryFailure(ended, reader.m));
    busy.current = false;
    setProgress(null);
    setOutcome(ended);
  };
  return { retry, progress, ...describe(outcome, reader) };
}

/** The outcome in words; `isFutile` where another try would end alike. */
function describe(outcome: RetryOutcome | undefined, reader: Reader) {
  if (!outcome) return { result: '', isFutile: false };
  const { m } = reader;
  if (outcome.kind === 'failed') {
    return { result: describeRetryFailure(outcome, m), isFutile: outcome.reason === 'gone' };
  }
  if (outcome.missing.length > 0) {
    const isFutile = outcome.missing.every(({ fault }) => fault === 'not-configured');
    return { result: describeFaults(outcome.missing, m), isFutile };
  }
  // Another tab was faster where there was nothing left to ask for.
  const { allDone, nowTranslated } = m.publish.translations;
  const { translated } = outcome;
  return {
    result: translated.length ? nowTranslated(languageNames(translated, reader)) : allDone,
    isFutile: false,
  };
}
