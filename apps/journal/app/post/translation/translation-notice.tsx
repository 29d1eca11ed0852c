import { Suspense, startTransition, useEffect, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { loadLater } from '../../ui/load-later.ts';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { LanguageLink, NOTE_ACTION_CLASS } from '../article/language-link.tsx';
import type { PostFormResult } from '../post-action.ts';
import { REPORT_ID, type ReportState, reportPath } from '../post-paths.ts';
import type { ShownPost } from '../present-post.ts';
import type { Comparison } from './compare-texts.ts';
import { describeTrust } from './describe-trust.ts';
import type { ShownTranslation } from './shown-translation.ts';

const ReportForm = loadLater(async () => (await import('./report-form.tsx')).ReportForm);

interface TranslationNoticeProps {
  post: ShownPost;
  translation: ShownTranslation;
  comparison: Comparison | null;
  /** Shows the text with its original, or without it for `null`. A text that is not public cannot be compared. */
  onCompare?: ((comparison: Comparison | null) => void) | undefined;
  served?: ServedReport | undefined;
}

/** Holds what the server renders of the form for a report, for a reader without JavaScript. */
export interface ServedReport {
  state: ReportState | null;
  /** The result of the page's form, if one was sent. */
  result: PostFormResult | undefined;
}

/** Says where a translation comes from, and leads to its original. */
export function TranslationNotice({
  post,
  translation,
  comparison,
  onCompare,
  served,
}: TranslationNoticeProps) {
  const { m, language } = useLanguage();
  const texts = m.post.translation;
  const { source } = translation;
  // A press before the script has taken over would be lost.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const sourceName = source && new Intl.DisplayNames(language, { type: 'language' }).of(source);
  return (
    <div role="note" className="mt-6 border-y border-hairline py-1.5 text-[0.9375rem]">
      <p className="py-1.5 text-muted">{describeTrust(translation, m, language).join(' ')}</p>
      <div className="flex flex-wrap items-center gap-x-5 print:hidden">
        {source && <LanguageLink code={source}>{texts.originalIn(sourceName ?? source)}</LanguageLink>}
        {onCompare && (
          <>
            <div className={`contents unscripted:hidden ${isReady ? '' : 'invisible'}`}>
              <CompareButton post={post} comparison={comparison} onCompare={onCompare} />
            </div>
            <ReportButton post={post} isReady={isReady} served={served} />
          </>
        )}
      </div>
    </div>
  );
}

function CompareButton({
  post,
  comparison,
  onCompare,
}: Pick<TranslationNoticeProps, 'post' | 'comparison'> & {
  onCompare(comparison: Comparison | null): void;
}) {
  const client = useClient();
  const { m, language } = useLanguage();
  const texts = m.post.translation;
  const { busy, run } = useBusy<'compare'>(() =>
    toast.error(noticeText(({ m }) => m.post.translation.compareFailed)),
  );
  const compare = async () => {
    // The text that is there stays until the other one can be shown.
    if (comparison) return startTransition(() => onCompare(null));
    await run('compare', async () => {
      const { loadComparison } = await import('./load-comparison.ts');
      const compared = await loadComparison(client, post.id, language);
      startTransition(() => onCompare(compared));
    });
  };
  return (
    <>
      <button
        type="button"
        aria-pressed={comparison !== null}
        aria-busy={busy !== undefined || undefined}
        onClick={() => void compare()}
        className={NOTE_ACTION_CLASS}
      >
        {comparison && (
          <span aria-hidden="true" className="mr-1">
            ✓
          </span>
        )}
        {texts.compare}
      </button>
      <span role="status" className="sr-only">
        {comparison && texts.compared}
      </span>
    </>
  );
}

interface ReportButtonProps {
  post: ShownPost;
  isReady: boolean;
  served: ServedReport | undefined;
}

/** Opens the form for what the reader has selected, if anything. Without JavaScript, a link leads to the form. */
function ReportButton({ post, isReady, served }: ReportButtonProps) {
  const { m } = useLanguage();
  const refused = served?.result?.kind === 'report-refused' ? served.result : undefined;
  const isServed = refused !== undefined || (served?.state ?? null) !== null;
  const [quote, setQuote] = useState(isServed ? (refused?.quote ?? '') : null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setQuote(null);
    button.current?.focus({ preventScroll: true });
  };
  const toggle = () => (quote === null ? setQuote(String(getSelection() ?? '').trim()) : close());
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={quote !== null}
        onClick={toggle}
        className={`${NOTE_ACTION_CLASS} unscripted:hidden ${isReady ? '' : 'invisible'}`}
      >
        {m.post.translation.report}
      </button>
      <span className="hidden unscripted:inline">
        <a href={reportPath('', 'open')} className={NOTE_ACTION_CLASS}>
          {m.post.translation.report}
        </a>
      </span>
      <Suspense>
        {quote !== null && (
          <ReportForm
            id={REPORT_ID}
            post={post}
            quote={quote}
            refused={refused}
            isSent={!refused && served?.state === 'sent'}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
