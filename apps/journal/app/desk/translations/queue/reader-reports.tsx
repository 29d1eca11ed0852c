import { Link } from 'react-router';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { deskNoticeText, showFailure } from '../../notices.tsx';
import { useDeskMessages, useTimes } from '../../use-desk.ts';
import { MoreButton, usePages } from '../../use-pages.tsx';
import type { QueueClient } from './queue-client.ts';

/** Lists what readers have reported about translations, until somebody has seen to it. */
export function ReaderReports({ client }: { client: QueueClient }) {
  const messages = useDeskMessages();
  const texts = messages.translations.reports;
  const { m, language: shown } = useLanguage();
  const times = useTimes();
  const { busy, run } = useBusy(showFailure);
  const pages = usePages('reports', {
    load: (cursor) => client.reports(cursor),
    append: (shown, next) => ({ ...next, reports: [...shown.reports, ...next.reports] }),
  });
  const { data } = pages;
  if (pages.status === 'failed') {
    return (
      <div role="alert" className="mb-8 flex flex-wrap items-center gap-4">
        <p>{texts.failed}</p>
        <Button variant="outline" size="small" onClick={pages.reload}>
          {m.layout.tryAgain}
        </Button>
      </div>
    );
  }
  if (!data?.total) return null;
  const { reports, total } = data;
  const resolve = async (id: string) => {
    await run(id, async () => {
      await client.resolve(id);
      pages.update((shown) => ({
        ...shown,
        reports: shown.reports.filter((one) => one.id !== id),
        total: shown.total - 1,
      }));
      toast.success(deskNoticeText(({ translations }) => translations.reports.resolved));
    });
  };
  return (
    <section aria-labelledby="reports" className="mb-10">
      <h2 id="reports" className="font-serif text-2xl leading-tight tracking-[-0.01em]">
        {texts.title(total)}
      </h2>
      <ul className="mt-4 border-t border-hairline">
        {reports.map(({ id, postId, title, language, segmentId, quote, message, createdAt }) => (
          <li key={id} className="grid gap-2 border-b border-hairline py-4">
            <p className="flex flex-wrap justify-between gap-x-6 text-sm text-muted">
              <Link
                to={`/admin/posts/${postId}/translations/${language}${segmentId ? `#${segmentId}` : ''}`}
                className="text-link"
              >
                {title.trim() || messages.posts.untitled} ({languageName(language, shown)})
              </Link>
              <span className="tabular-nums">{times.full(createdAt)}</span>
            </p>
            <blockquote
              lang={language}
              className="border-l-2 border-hairline pl-4 font-serif leading-relaxed [overflow-wrap:anywhere]"
            >
              {quote}
            </blockquote>
            <p className="leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">{message}</p>
            <Button
              variant="outline"
              size="small"
              className="justify-self-start"
              busy={busy === id}
              disabled={busy !== undefined}
              onClick={() => void resolve(id)}
            >
              {texts.resolve}
            </Button>
          </li>
        ))}
      </ul>
      <MoreButton pages={pages}>{messages.posts.more}</MoreButton>
    </section>
  );
}
