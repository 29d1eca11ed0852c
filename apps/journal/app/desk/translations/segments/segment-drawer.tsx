import { type FormEvent, useState } from 'react';
import type { SegmentComment, TranslatedSegment } from '../../../../project/translations.ts';
import { useAuth } from '../../../client/client-context.tsx';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { type LoadedData, useLoadedData } from '../../../ui/use-loaded-data.ts';
import { Drawer } from '../../drawer.tsx';
import { WordDifference } from '../../history/word-difference.tsx';
import { showFailure } from '../../notices.tsx';
import { FailedNote } from '../../statement.tsx';
import { useDeskMessages, useTimes } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import { WriterName } from './segment-marks.tsx';

/** Characters of a comment. */
const MAX_COMMENT = 5_000;

interface SegmentDrawerProps {
  panel: 'history' | 'comments';
  name: TranslationName;
  segment: TranslatedSegment;
  onRestore(version: number): Promise<void>;
  /** Called with the number of comments. */
  onCount(comments: number): void;
  onClose(): void;
}

/** Shows the history of a segment, or the comments on it, beside the page. */
export function SegmentDrawer({ panel, onClose, ...props }: SegmentDrawerProps) {
  const texts = useDeskMessages().translations;
  return (
    <Drawer title={texts[panel].title} onClose={onClose}>
      {panel === 'history' ? <History {...props} /> : <Comments {...props} />}
    </Drawer>
  );
}

type PanelProps = Omit<SegmentDrawerProps, 'panel' | 'onClose'>;

function Loading({ loaded }: { loaded: LoadedData<unknown> }) {
  const { m } = useLanguage();
  const texts = useDeskMessages().translations;
  return loaded.status === 'failed' ? (
    <FailedNote text={texts.panelFailed} onRetry={loaded.reload} />
  ) : (
    <p role="status" className="text-muted">
      {m.layout.loading}
    </p>
  );
}

function History({ name, segment, onRestore }: PanelProps) {
  const texts = useDeskMessages().translations;
  const client = useTranslations();
  const times = useTimes();
  const [restoring, setRestoring] = useState<number>();
  const loaded = useLoadedData(`${segment.id} ${segment.version}`, () => client.history(name, segment.id));
  if (!loaded.data) return <Loading loaded={loaded} />;
  if (loaded.data.length === 0) return <p className="text-muted">{texts.history.empty}</p>;
  const restore = async (version: number) => {
    setRestoring(version);
    await onRestore(version).finally(() => setRestoring(undefined));
  };
  return (
    <ol className="border-t border-hairline">
      {loaded.data.map(({ version, text, state, writer, at }) => (
        <li key={version} className="grid gap-2 border-b border-hairline py-4">
          <p className="flex flex-wrap justify-between gap-x-6 text-sm">
            <span className="flex flex-wrap gap-x-3">
              <span className="font-medium">{texts.states[state]}</span>
              <WriterName writer={writer} />
            </span>
            <span className="text-muted tabular-nums">{times.full(at)}</span>
          </p>
          <WordDifference before={segment.text} after={text} lang={name.language} />
          <Button
            variant="outline"
            size="small"
            className="justify-self-start"
            busy={restoring === version}
            onClick={() => void restore(version)}
          >
            {texts.history.restore}
          </Button>
        </li>
      ))}
    </ol>
  );
}

function Comments({ name, segment, onCount }: PanelProps) {
  const messages = useDeskMessages();
  const texts = messages.translations.comments;
  const client = useTranslations();
  const times = useTimes();
  const { user } = useAuth();
  const [typed, setTyped] = useState('');
  const { busy, run } = useBusy(showFailure);
  const loaded = useLoadedData(`comments ${segment.id}`, () => client.comments(name, segment.id));
  const { data } = loaded;
  if (!data) return <Loading loaded={loaded} />;

  const show = (comments: SegmentComment[]) => {
    loaded.update(() => comments);
    onCount(comments.length);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!typed.trim() || busy) return;
    void run('add', async () => {
      show([...data, await client.addComment(name, segment.id, typed.trim())]);
      setTyped((now) => (now === typed ? '' : now));
    });
  };
  const remove = (id: string) =>
    void run('remove', async () => {
      await client.removeComment(name, segment.id, id);
      show(data.filter((one) => one.id !== id));
    });
  return (
    <div className="grid gap-6">
      {data.length === 0 ? (
        <p className="text-muted">{texts.empty}</p>
      ) : (
        <ol className="border-t border-hairline">
          {data.map(({ id, text, by, at }) => (
            <li key={id} className="grid gap-1 border-b border-hairline py-4">
              <p className="flex flex-wrap justify-between gap-x-6 text-sm">
                <span className="font-medium">{by.name}</span>
                <span className="text-muted tabular-nums">{times.full(at)}</span>
              </p>
              <p className="leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
              {by.id === user?.id && (
                <Button
                  variant="quiet"
                  size="small"
                  className="-ml-3 justify-self-start"
                  disabled={busy !== undefined}
                  onClick={() => remove(id)}
                >
                  {texts.remove}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <form onSubmit={add} className="grid gap-3">
        <TextArea
          label={texts.add}
          rows={3}
          limit={MAX_COMMENT}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button
          type="submit"
          className="justify-self-start"
          busy={busy !== undefined}
          disabled={!typed.trim()}
        >
          {texts.send}
        </Button>
      </form>
    </div>
  );
}
