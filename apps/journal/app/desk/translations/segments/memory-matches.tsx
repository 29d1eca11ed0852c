import type { TranslatedSegment } from '../../../../project/translations.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { useLoadedData } from '../../../ui/use-loaded-data.ts';
import { WordDifference } from '../../history/word-difference.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import { otherMatches } from './use-segment-actions.ts';

interface MemoryMatchesProps {
  name: TranslationName;
  segment: TranslatedSegment;
  /** The text that is written now; a match that says the same is no help. */
  text: string;
  onTake(text: string): void;
}

/** Offers how earlier segments of the same or nearly the same words were translated, with the words that differ. */
export function MemoryMatches({ name, segment, text, onTake }: MemoryMatchesProps) {
  const texts = useDeskMessages().translations.memory;
  const { language } = useLanguage();
  const client = useTranslations();
  const { data } = useLoadedData(`matches ${segment.id}`, () => client.matches(name, segment.id));
  const shown = otherMatches(data ?? [], text);
  if (shown.length === 0) return null;
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return (
    <section aria-label={texts.title} className="grid gap-3 border-l-2 border-hairline pl-4">
      <h3 className="small-caps-label text-muted">{texts.title}</h3>
      {shown.map((match) => (
        <div key={match.text} className="grid gap-1">
          <p className="text-sm text-muted">{texts.alike(percent.format(match.similarity))}</p>
          {match.similarity < 1 && <WordDifference before={match.source} after={segment.source} />}
          <p
            lang={name.language}
            className="font-serif leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {match.text}
          </p>
          <Button
            variant="outline"
            size="small"
            className="justify-self-start"
            onClick={() => onTake(match.text)}
          >
            {texts.take}
          </Button>
        </div>
      ))}
    </section>
  );
}
