import type { Language } from '../../../project/languages.ts';
import type { LanguageStatus } from '../../../project/translations.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import type { DeskMessages } from '../load-desk-messages.ts';
import { showFailure } from '../notices.tsx';
import { describeCounts } from '../translations/release/describe-release.ts';
import { isUnderWay, JobProgress } from '../translations/release/job-progress.tsx';
import type { TranslationsOverview } from '../translations/use-overview.ts';
import { useTranslations } from '../translations/use-translations.ts';
import { useDeskMessages } from '../use-desk.ts';

interface TranslationsPanelProps {
  postId: string;
  overview: TranslationsOverview;
  readOnly: boolean;
  /** Saves what is written, so that it is what is translated. */
  onTranslate(): Promise<boolean>;
}

/** Says for each language what publishing will release and what keeps it from that, and translates what is open. */
export function TranslationsPanel({ postId, overview, readOnly, onTranslate }: TranslationsPanelProps) {
  const { m, language: shown } = useLanguage();
  const messages = useDeskMessages();
  const texts = messages.translations;
  const client = useTranslations();
  const { busy, run } = useBusy(showFailure);
  const { data } = overview;
  if (overview.status === 'failed') {
    return (
      <div role="alert" className="grid justify-items-start gap-3 text-[0.9375rem]">
        <p>{texts.panel.failed}</p>
        <Button variant="outline" size="small" onClick={overview.reload}>
          {m.layout.tryAgain}
        </Button>
      </div>
    );
  }
  if (!data) return <div className="skeleton h-40" />;
  // Before anything is written, nothing happens with any language.
  if (data.languages.every(({ counts }) => describeCounts(counts, texts) === '')) return null;
  const open = openLanguages(data.languages);
  const translate = async () => {
    await run('translate', async () => {
      if (await onTranslate()) await client.translate(postId, { languages: open });
      await overview.refresh();
    });
  };
  return (
    <section aria-labelledby="translations-panel" className="grid gap-3">
      <div className="grid gap-1">
        <h2 id="translations-panel" className="text-sm font-medium">
          {texts.panel.title}
        </h2>
        <p className="text-sm text-muted">{texts.panel.lead}</p>
      </div>
      <dl className="border-t border-hairline text-[0.9375rem]">
        {data.languages.map((status) => (
          <div key={status.language} className="grid gap-0.5 border-b border-hairline py-2.5">
            <dt className="font-medium">{languageName(status.language, shown)}</dt>
            <dd className={status.counts.blocked > 0 ? 'text-accent' : ''}>
              {describePublishing(status, data.isOffered, texts)}
            </dd>
            <dd className="text-sm text-muted">{describeCounts(status.counts, texts)}</dd>
          </div>
        ))}
      </dl>
      <JobProgress postId={postId} job={data.job} onProgress={() => void overview.refresh()} />
      {data.isOffered && !readOnly && open.length > 0 && !isUnderWay(data.job) && (
        <Button
          variant="outline"
          size="small"
          className="justify-self-start"
          busy={busy !== undefined}
          onClick={() => void translate()}
        >
          {texts.panel.translate}
        </Button>
      )}
    </section>
  );
}

/** Returns the languages that lack words of the original. */
function openLanguages(languages: readonly LanguageStatus[]): Language[] {
  return languages
    .filter(({ counts: { missing, outdated } }) => missing + outdated > 0)
    .map(({ language }) => language);
}

/** Returns a sentence that says what publishing does with a language. */
function describePublishing(
  { state, rule, counts, proposed, isStale }: LanguageStatus,
  isOffered: boolean,
  { panel: texts }: DeskMessages['translations'],
): string {
  if (state === 'held' || state === 'withdrawn') return texts[state];
  if (counts.blocked > 0) return texts.blocked(counts.blocked);
  if (proposed > 0) return texts.proposed(proposed);
  const open = counts.missing + counts.outdated;
  if (open > 0) return isOffered ? texts.open(open) : texts.unoffered(open);
  const unreviewed = counts.machine + counts.edited;
  if (rule === 'reviewed' && unreviewed > 0) return texts.unreviewed(unreviewed);
  return state === 'released' && !isStale ? texts.current : texts.ready;
}
