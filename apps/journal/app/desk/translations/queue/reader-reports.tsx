import { Link } from 'react-router';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { useLoadedData } from '../../../ui/use-loaded-data.ts';
import { deskNoticeText, showFailure } from '../../notices.tsx';
import { useDeskMessages, useTimes } from '../../use-desk.ts';
import type { QueueClient } from './queue-client.ts';

/** Names the loading of further reports among the actions on them. */
const MORE = 'more';

/** Lists what readers have reported about translations, until somebody has seen to it. */
export function ReaderReports({ client }: { client: QueueClient }) {
  const messages = useDeskMessages();
  const texts = messages.translations.reports;
  const { m, language: shown } = useLanguage();
  const times = useTimes();
  const { busy, run } = useBusy(showFailure);
  const loaded = useLoadedData('reports', () => client.reports());
  const { data } = loaded;
  if (loaded.status === 'failed') {
    return (
      <div role="alert" className="mb-8 flex flex-wrap items-center gap-4">
        <p>{texts.failed}</p>
        <Button variant="outline" size="small" onClick={loaded.reload}>
          {m.layout.tryAgain}
        </Button>
      </div>
    );
  }
  if (!data?.total) return null;
  const { reports, total, cursor } = data;
  const resolve = async (id: string) => {
    await run(id, async () => {
      await client.resolve(id);
      loaded.update((shown) => ({
        ...shown,
        reports: shown.reports.filter((one) => one.id !== id),
        total: shown.total - 1,
      }));
      toast.success(deskNoticeText(({ translations }) => translations.reports.resolved));
    });
  };
  const loadMore = (from: string) =>
    run(MORE, async () => {
      const next = await client.reports(from);
      loaded.update((shown) => ({ ...next, reports: [...shown.reports, ...next.reports] }));
    });
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
      {cursor && (
        <div className="mt-6 grid justify-items-center">
          <Button variant="outline" busy={busy === MORE} onClick={() => void loadMore(cursor)}>
            {busy === MORE ? m.layout.loading : messages.posts.more}
          </Button>
        </div>
      )}
    </section>
  );
}
