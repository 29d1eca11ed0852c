import { useEffect, useEffectEvent, useState } from 'react';
import type { TranslationJob } from '../../../../project/translations.ts';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { showFailure } from '../../notices.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { useTranslations } from '../use-translations.ts';

/** Milliseconds between two questions for how far a job is. */
const POLL_MS = 1_000;

interface JobProgressProps {
  postId: string;
  /** The last job of the post, as far as the page knows. */
  job: TranslationJob | null;
  /** Called whenever words have arrived, and at the end. */
  onProgress(): void;
}

export function isUnderWay(job: TranslationJob | null): boolean {
  return job?.state === 'waiting' || job?.state === 'running';
}

/** Shows how many words of a post are translated while a job works on it, which goes on when the page is closed. */
export function JobProgress({ postId, job: known, onProgress }: JobProgressProps) {
  const messages = useDeskMessages();
  const texts = messages.translations.job;
  const { language } = useLanguage();
  const client = useTranslations();
  const [polled, setPolled] = useState<TranslationJob | null>(known);
  const { busy: cancelling, run } = useBusy(showFailure);
  // A job that the page was notified of is newer than the one that was requested last.
  const job = polled?.id === known?.id ? (polled ?? known) : known;
  const active = isUnderWay(job);

  const poll = useEffectEvent(async () => {
    try {
      const next = await client.job(postId);
      if (next?.words.done !== job?.words.done || next?.state !== job?.state) onProgress();
      setPolled(next);
    } catch {
      // The next question may be answered.
    }
  });
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [active]);

  const cancel = async () => {
    await run('cancel', async () => {
      await client.cancelJob(postId);
      await poll();
      onProgress();
    });
  };
  if (!job || job.state === 'done' || job.state === 'cancelled')
    return <p role="status" className="sr-only" />;
  if (job.state === 'failed') {
    const fault = texts.faults[job.fault as keyof typeof texts.faults] ?? texts.faults.unknown;
    return (
      <p role="alert" className="border-y border-hairline py-3 text-[0.9375rem] text-accent">
        {texts.failed} {fault}
      </p>
    );
  }
  const { format } = new Intl.NumberFormat(language);
  const { done, total } = job.words;
  const names = new Intl.ListFormat(language).format(
    job.languages.map((code) => languageName(code, language)),
  );
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-y border-hairline py-3 text-[0.9375rem]">
      <p role="status" className="tabular-nums">
        {total > 0 ? texts.progress(names, format(done), format(total)) : texts.waiting(names)}
      </p>
      <div
        role="progressbar"
        aria-label={texts.label}
        aria-valuemin={0}
        aria-valuemax={Math.max(total, 1)}
        aria-valuenow={done}
        className="h-1 min-w-24 flex-1 bg-hairline"
      >
        <div className="h-full bg-accent" style={{ width: `${total > 0 ? (100 * done) / total : 0}%` }} />
      </div>
      <Button variant="quiet" size="small" busy={cancelling !== undefined} onClick={() => void cancel()}>
        {texts.cancel}
      </Button>
    </div>
  );
}
