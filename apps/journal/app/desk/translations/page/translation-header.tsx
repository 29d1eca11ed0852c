import { Keyboard, Languages } from 'lucide-react';
import type { LanguageTranslation, PostTranslations } from '../../../../project/translations.ts';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { showFailure } from '../../notices.tsx';
import { useDeskMessages, useTimes } from '../../use-desk.ts';
import { LanguageTabs } from '../language-tabs.tsx';
import { describeRelease, isAllReleased } from '../release/describe-release.ts';
import { isUnderWay } from '../release/job-progress.tsx';
import { ReleaseMenu } from '../release/release-menu.tsx';
import type { ReleaseActions } from '../release/use-release-actions.tsx';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';

interface TranslationHeaderProps {
  name: TranslationName;
  title: string;
  overview: PostTranslations;
  translation: LanguageTranslation;
  /** The number of segments that wait for a person. */
  waiting: number;
  release: ReleaseActions;
  onHelp(): void;
  /** Begins with the first segment that waits for a person. */
  onReview(): void;
  onChanged(): void;
}

/** Names the post and the language, says what readers see of it, and decides about its release. */
export function TranslationHeader(props: TranslationHeaderProps) {
  const { name, title, overview, translation, waiting, release, onHelp, onReview, onChanged } = props;
  const messages = useDeskMessages();
  const texts = messages.translations;
  const { language } = useLanguage();
  const times = useTimes();
  const client = useTranslations();
  const { busy: asking, run } = useBusy(showFailure);
  const { counts } = translation;
  const open = counts.missing + counts.outdated;

  const translate = async () => {
    await run('translate', async () => {
      await client.translate(name.postId, { languages: [name.language] });
      onChanged();
    });
  };
  return (
    <header className="grid grid-cols-1 gap-5 pt-4 pb-5">
      <LanguageTabs
        postId={name.postId}
        source={overview.source}
        languages={overview.languages}
        open={name.language}
      />
      <div className="grid gap-2">
        <p className="small-caps-label text-muted">{texts.into(languageName(name.language, language))}</p>
        <h1
          lang={overview.source ?? undefined}
          className="max-w-4xl font-serif text-[2rem] leading-tight tracking-[-0.01em] text-pretty [overflow-wrap:anywhere] sm:text-[2.5rem]"
        >
          {title}
        </h1>
        <p className="text-[0.9375rem] text-muted">{describeRelease(translation, texts, times)}</p>
        <SecondReader judge={translation.judge} />
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:gap-3">
        {waiting > 0 && <Button onClick={onReview}>{texts.review(waiting)}</Button>}
        {overview.isOffered && open > 0 && (
          <Button
            variant="outline"
            busy={asking !== undefined || isUnderWay(overview.job)}
            onClick={() => void translate()}
          >
            <Languages aria-hidden="true" className="size-4" />
            {texts.translateOpen(open)}
          </Button>
        )}
        <Button
          variant={waiting > 0 ? 'outline' : 'primary'}
          disabled={release.busy || isAllReleased(translation)}
          onClick={() => release.ask('release')}
        >
          {texts.release.release.action}
        </Button>
        <ReleaseMenu name={name} translation={translation} release={release} onChanged={onChanged} />
        <Button
          variant="quiet"
          className="touch:hidden"
          aria-label={texts.keys.title}
          title={texts.keys.title}
          onClick={onHelp}
        >
          <Keyboard aria-hidden="true" className="size-5" />
        </Button>
      </div>
    </header>
  );
}

/** Says which model reads translations once more, and how good it is, or that nobody knows. */
function SecondReader({ judge }: Pick<LanguageTranslation, 'judge'>) {
  const texts = useDeskMessages().translations.reader;
  const { language } = useLanguage();
  const times = useTimes();
  if (!judge) return null;
  const { model, measured } = judge;
  const format = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const percent = (hundredths: number) => format.format(hundredths / 100);
  return (
    <p className="text-sm text-muted [overflow-wrap:anywhere]">
      {measured
        ? texts.measured(
            model,
            percent(measured.caught),
            percent(measured.falseAlarms),
            times.day(Date.parse(`${measured.day}T12:00`)),
          )
        : texts.unmeasured(model)}
    </p>
  );
}
