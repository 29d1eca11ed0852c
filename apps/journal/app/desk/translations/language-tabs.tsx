import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Language } from '../../../project/languages.ts';
import type { LanguageStatus } from '../../../project/translations.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { ScrollingRow } from '../../ui/scrolling-row.tsx';
import { useDeskMessages } from '../use-desk.ts';

interface LanguageTabsProps {
  postId: string;
  /** The language of the original, if it is known. */
  source: Language | null;
  languages: readonly LanguageStatus[];
  open: Language | 'original';
  /** Saves what is written. Another page opens afterwards. */
  onLeave?(): Promise<unknown>;
}

/** Links the original and the translations of a post to each other, with what waits in each. */
export function LanguageTabs({ postId, source, languages, open, onLeave }: LanguageTabsProps) {
  const texts = useDeskMessages().translations;
  const { language: shown } = useLanguage();
  const navigate = useNavigate();
  const leave = (to: string) => async (event: MouseEvent) => {
    const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!onLeave || opensElsewhere) return;
    event.preventDefault();
    await onLeave();
    await navigate(to);
  };
  const tabs = [
    { code: 'original' as const, to: `/admin/posts/${postId}`, note: '', isBlocked: false },
    ...languages.map(({ language, counts: { blocked, missing, outdated } }) => ({
      code: language,
      to: `/admin/posts/${postId}/translations/${language}`,
      note:
        blocked > 0
          ? texts.short.blocked(blocked)
          : missing + outdated > 0
            ? texts.short.open(missing + outdated)
            : '',
      isBlocked: blocked > 0,
    })),
  ];
  return (
    <nav aria-label={texts.languages}>
      <ScrollingRow ground="paper" className="flex w-max gap-x-6 border-b border-hairline">
        {tabs.map(({ code, to, note, isBlocked }) => (
          <Link
            key={code}
            to={to}
            aria-current={code === open ? 'page' : undefined}
            onClick={code === open ? undefined : (event) => void leave(to)(event)}
            className="tab-line inline-flex min-h-11 items-center gap-1.5 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-ink aria-[current]:text-ink"
          >
            {code !== 'original'
              ? languageName(code, shown)
              : source
                ? `${texts.original} (${languageName(source, shown)})`
                : texts.original}
            {note && (
              <span className={isBlocked ? 'text-accent' : 'font-normal'}>
                <span className="sr-only">: </span>
                {note}
              </span>
            )}
          </Link>
        ))}
      </ScrollingRow>
    </nav>
  );
}
