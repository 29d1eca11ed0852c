import { Button } from '../../ui/button.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import type { PreviewLink } from '../desk-client.ts';
import { showFailure } from '../notices.tsx';
import { FailedNote } from '../statement.tsx';
import { useDesk, useDeskMessages, useTimes } from '../use-desk.ts';

interface PreviewLinksProps {
  postId: string;
  /** The link that was made just now. */
  madeId: string | undefined;
  onWithdrawn(link: PreviewLink): void;
}

/** Lists the links to a preview, with who gave them and until when, and withdraws each. */
export function PreviewLinks({ postId, madeId, onWithdrawn }: PreviewLinksProps) {
  const { preview: texts, posts } = useDeskMessages();
  const desk = useDesk();
  const times = useTimes();
  const { busy, run } = useBusy(showFailure);
  const { data, status, reload, update } = useLoadedData(postId, () => desk.previews(postId));
  const withdraw = (link: PreviewLink) =>
    run(link.id, async () => {
      await desk.withdrawPreviews(postId, link.id);
      update((links) => links.filter(({ id }) => id !== link.id));
      onWithdrawn(link);
    });
  if (status === 'failed') return <FailedNote text={texts.listFailed} onRetry={reload} />;
  if (!data || data.length === 0) return null;
  return (
    <section className="grid gap-2 border-t border-hairline pt-5">
      <h3 className="text-sm font-medium">{texts.links}</h3>
      <ul>
        {data.map((link) => {
          const given = texts.given(link.by.name ?? posts.someone, times.full(link.expiresAt));
          return (
            <li
              key={link.id}
              className="flex items-center justify-between gap-4 border-b border-hairline py-2"
            >
              <span className="text-sm leading-relaxed">
                {given}
                {link.id === madeId && <span className="text-muted"> · {texts.made}</span>}
                {!link.works && <span className="block text-accent">{texts.dead}</span>}
              </span>
              <Button
                variant="quiet"
                size="small"
                busy={busy === link.id}
                disabled={busy !== undefined}
                aria-label={`${texts.withdrawOne}: ${given}`}
                onClick={() => void withdraw(link)}
              >
                {texts.withdrawOne}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
