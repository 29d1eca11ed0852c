import '../../language/member-messages.ts';
import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import { useEffect, useRef, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { Language } from '../../../project/languages.ts';
import { parseParts } from '../../../project/translation-parts.ts';
import type { TranslationJob } from '../../../project/translations.ts';
import { useClient } from '../../client/client-context.tsx';
import { describeTooMany } from '../../client/too-many.ts';
import { languageNames } from '../../language/language-names.ts';
import { type LanguageState, useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { PostPage } from '../load-post.ts';
import { NOTE_ACTION_CLASS } from './language-link.tsx';

/** Milliseconds between two questions for how far the job is. */
const POLL_MS = 1_000;

/** Shows the post's owner which languages show the original text, and offers to have the server translate them. */
export function MissingTranslations({ post }: { post: Pick<PostPage, 'id' | 'untranslated'> }) {
  const { m, language } = useLanguage();
  const texts = m.publish.translations;
  const missing = [...new Set(parseParts(post.untranslated).map((part) => part.language))];
  const { outcome, isBusy, retry } = useRetry(post.id, missing);
  const status = useRef<HTMLParagraphElement>(null);

  const press = async () => {
    // The button is disabled now and may be removed later, so the focus goes to the text with the result.
    status.current?.focus({ preventScroll: true });
    await retry();
  };
  const untranslated = missing.length > 0 ? texts.notTranslated(languageNames(missing, language)) : '';
  const result = outcome ? describe(outcome, missing, { m, language }) : '';
  const words = isBusy ? texts.underWay : `${untranslated} ${result}`.trim();
  if (!words) return null;
  const isGone = outcome instanceof FabricaError && outcome.code === 'NOT_FOUND';
  const [held] = outcome && isHeld(outcome) ? missing : [];
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
      {held && (
        <Link to={`/admin/posts/${post.id}/translations/${held}`} className={NOTE_ACTION_CLASS}>
          {texts.lookAtHeld}
        </Link>
      )}
      {missing.length > 0 && !isGone && !held && (
        <Button variant="quiet" size="small" busy={isBusy} onClick={press} className="-mx-3">
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** The job as it ended with the languages that were asked for, or the error by which it was not asked for. */
type Outcome = { job: TranslationJob; asked: readonly Language[] } | Error;

/** Returns a function that asks the server for the missing translations, waits for its job, and loads the page again. */
function useRetry(postId: string, missing: readonly Language[]) {
  const client = useClient();
  const { revalidate } = useRevalidator();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  const retry = async () => {
    if (isBusy) return;
    setOutcome(undefined);
    setBusy(true);
    const settled = await translate(postId, { client, languages: missing, isLeft: () => isLeft.current });
    // The line is for the owner alone and disappears with the session.
    if (settled instanceof AuthError)
      toast.error(noticeText(({ m }) => m.publish.translations.retryFailed['session-ended']));
    else if (!(settled instanceof Error)) await revalidate();
    setBusy(false);
    setOutcome(settled);
  };
  return { retry, isBusy, outcome };
}

async function translate(
  postId: string,
  options: { client: FabricaClient; languages: readonly Language[]; isLeft(): boolean },
): Promise<Outcome> {
  const { client, languages, isLeft } = options;
  const path = `/api/desk/${encodeURIComponent(client.projectId)}/posts/${encodeURIComponent(postId)}/translations`;
  try {
    const begin = { method: 'POST', path: `${path}/translate`, json: { languages } } as const;
    let job = (await client.request(begin)) as TranslationJob;
    while ((job.state === 'waiting' || job.state === 'running') && !isLeft()) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      job = ((await client.request({ method: 'GET', path: `${path}/job` })) as TranslationJob | null) ?? job;
    }
    return { job, asked: languages };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Tells whether everything was translated: what is not shown then waits for a person, and no other attempt changes that. */
const isHeld = (outcome: Outcome) => !(outcome instanceof Error) && outcome.job.state === 'done';

type Reader = Pick<LanguageState, 'm' | 'language'>;

/** Returns the outcome as a sentence. */
function describe(outcome: Outcome, missing: readonly Language[], reader: Reader): string {
  const { faults, held, retryFailed, nowTranslated } = reader.m.publish.translations;
  const ofModel: Partial<Record<string, string>> = {
    AI_QUOTA_EXCEEDED: faults.quota,
    AI_NOT_CONFIGURED: faults['not-configured'],
    UNUSABLE: faults.unusable,
  };
  if (!(outcome instanceof Error)) {
    const { job, asked } = outcome;
    if (job.state === 'failed') return ofModel[job.fault ?? ''] ?? faults.unanswered;
    // What was translated and is not shown is held back.
    return missing.length > 0 ? held : nowTranslated(languageNames(asked, reader.language));
  }
  if (outcome instanceof AuthError) return retryFailed['session-ended'];
  if (!(outcome instanceof FabricaError)) return retryFailed.unknown;
  const ofDesk: Partial<Record<string, string>> = {
    NOT_FOUND: retryFailed.gone,
    VALIDATION_FAILED: retryFailed['unknown-language'],
    NETWORK_ERROR: outcome.status === null ? retryFailed.offline : undefined,
  };
  const known = ofModel[outcome.code] ?? ofDesk[outcome.code] ?? describeTooMany(outcome, reader);
  return known ?? retryFailed.unknown;
}
