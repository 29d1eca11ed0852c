import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { fieldText, isText } from '../conflict/field-names.ts';
import type { Revision } from '../desk-client.ts';
import type { DeskDocument } from '../document.ts';
import { Drawer } from '../drawer.tsx';
import { fieldName } from '../field-name.ts';
import { differingFields } from '../saving/merge-documents.ts';
import { FailedNote } from '../statement.tsx';
import { useDesk, useDeskMessages, useTimes } from '../use-desk.ts';
import { MoreButton, usePages } from '../use-pages.tsx';
import { WordDifference } from './word-difference.tsx';

interface HistoryDrawerProps {
  postId: string;
  /** The document that the desk shows. */
  document: DeskDocument;
  readOnly: boolean;
  /** Brings a revision back. Rejects when that fails. */
  onRestore(revision: Revision): Promise<void>;
  onClose(): void;
}

/** Lists the revisions of a post, compares one of them with what is on the desk, and restores it. */
export function HistoryDrawer({ postId, document, readOnly, onRestore, onClose }: HistoryDrawerProps) {
  const messages = useDeskMessages();
  const [chosen, setChosen] = useState<Revision>();
  return (
    <Drawer title={messages.history.title} onClose={onClose}>
      {chosen ? (
        <Comparison
          postId={postId}
          revision={chosen}
          document={document}
          readOnly={readOnly}
          onBack={() => setChosen(undefined)}
          onRestore={onRestore}
        />
      ) : (
        <RevisionList postId={postId} onChoose={setChosen} />
      )}
    </Drawer>
  );
}

function RevisionList({ postId, onChoose }: { postId: string; onChoose(revision: Revision): void }) {
  const messages = useDeskMessages();
  const texts = messages.history;
  const desk = useDesk();
  const times = useTimes();
  const pages = usePages(`revisions ${postId}`, {
    load: (cursor) => desk.revisions(postId, cursor),
    append: ({ revisions }, next) => ({ ...next, revisions: [...revisions, ...next.revisions] }),
  });
  const { data } = pages;

  if (pages.status === 'failed') return <FailedNote text={texts.failed} onRetry={pages.reload} />;
  if (!data) {
    return (
      <p role="status" className="text-muted">
        {texts.loading}
      </p>
    );
  }
  if (data.revisions.length === 0) return <p className="text-muted">{texts.empty}</p>;
  return (
    <>
      <ol className="border-t border-hairline">
        {data.revisions.map((revision) => (
          <li key={revision.id} className="border-b border-hairline">
            <button
              type="button"
              onClick={() => onChoose(revision)}
              className="flex w-full flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-3 text-left transition-colors hover:text-accent"
            >
              <span>
                <span className={revision.kind === 'published' ? 'font-medium' : ''}>
                  {texts[revision.kind]}
                </span>
                <span className="text-muted"> · {revision.by?.name ?? messages.posts.someone}</span>
              </span>
              <span className="text-sm text-muted tabular-nums">{times.full(revision.createdAt)}</span>
            </button>
          </li>
        ))}
      </ol>
      <MoreButton pages={pages}>{texts.more}</MoreButton>
    </>
  );
}

interface ComparisonProps extends Omit<HistoryDrawerProps, 'onClose'> {
  revision: Revision;
  onBack(): void;
}

function Comparison({ postId, revision, document, readOnly, onBack, onRestore }: ComparisonProps) {
  const messages = useDeskMessages();
  const texts = messages.history;
  const { language } = useLanguage();
  const desk = useDesk();
  const times = useTimes();
  const [restoring, setRestoring] = useState(false);
  const loaded = useLoadedData(revision.id, () => desk.revision(postId, revision.id));
  const then = loaded.data?.document;
  const fields = then ? differingFields(then, document) : [];

  const restore = async () => {
    setRestoring(true);
    await onRestore(revision).finally(() => setRestoring(false));
  };
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <Button variant="quiet" size="small" className="-ml-3 justify-self-start" onClick={onBack}>
          {texts.back}
        </Button>
        <p className="font-medium">
          {texts[revision.kind]}, {times.full(revision.createdAt)}
        </p>
        <p className="text-muted">{revision.by?.name ?? messages.posts.someone}</p>
      </div>
      {loaded.status === 'failed' && <FailedNote text={texts.failed} onRetry={loaded.reload} />}
      {loaded.status === 'loading' && (
        <p role="status" className="text-muted">
          {texts.loading}
        </p>
      )}
      {then && fields.length === 0 && <p className="text-muted">{texts.same}</p>}
      {then && fields.length > 0 && (
        <section aria-label={texts.compare} className="grid border-t border-hairline">
          {fields.map((field) => (
            <div key={field.path} className="grid gap-2 border-b border-hairline py-5">
              <h3 className="text-sm font-medium">{fieldName(field, messages)}</h3>
              <WordDifference
                before={fieldText(field, document, messages, language)}
                after={fieldText(field, then, messages, language)}
                lang={isText(field) ? (document.language ?? undefined) : undefined}
              />
            </div>
          ))}
        </section>
      )}
      {then && fields.length > 0 && !readOnly && (
        <Button className="justify-self-start" busy={restoring} onClick={() => void restore()}>
          {texts.restore}
        </Button>
      )}
    </div>
  );
}
