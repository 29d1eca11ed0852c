import { type ReactNode, useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { ChangeAnnouncement } from '../../../project/dated-changes.ts';
import { lettersOf } from '../../../project/marks.ts';
import { useAuth } from '../../client/client-context.tsx';
import { SessionEnded } from '../../layout/session-ended.tsx';
import type { DeskPost, PublishOptions } from '../desk-client.ts';
import { CoverField } from '../fields/cover-field.tsx';
import { MoreFields } from '../fields/more-fields.tsx';
import { PicturesField } from '../fields/pictures-field.tsx';
import { HistoryDrawer } from '../history/history-drawer.tsx';
import { showReason } from '../notices.tsx';
import { isSameDocument } from '../saving/merge-documents.ts';
import type { WorkingCopy, WorkingCopyState } from '../saving/working-copy.ts';
import { StateMark } from '../state-mark.tsx';
import { LanguageTabs } from '../translations/language-tabs.tsx';
import { type TranslationsOverview, useOverview } from '../translations/use-overview.ts';
import { useDeskMessages, useTimes } from '../use-desk.ts';
import type { DeskPanel } from './action-menu.tsx';
import { ChangeNote, hasNewWords } from './change-note.tsx';
import { DeskActionBar } from './desk-actions.tsx';
import { DeskConflict } from './desk-conflict.tsx';
import { OriginalText } from './original-text.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { SaveState } from './save-state.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleNote } from './schedule-note.tsx';
import { TranslationsPanel } from './translations-panel.tsx';
import { type DeskActions, useDeskActions } from './use-desk-actions.ts';

export interface DeskProps {
  post: DeskPost;
  copy: WorkingCopy;
  onPost(post: DeskPost): void;
}

/** The desk: edits the working copy of a post, which readers do not see before it is published. */
export function Desk({ post, copy, onPost }: DeskProps) {
  const messages = useDeskMessages();
  const state = useWorkingCopy(copy);
  const actions = useDeskActions({ post, copy, onPost });
  const overview = useOverview(post.id, state.base.version);
  const [panel, setPanel] = useState<DeskPanel>();
  const [settling, setSettling] = useState<WorkingCopyState>();
  const [announcement, setAnnouncement] = useState<ChangeAnnouncement>({});
  const [isChecked, setChecked] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const { document, status } = state;
  const changed = post.publishedDocument === null || !isSameDocument(document, post.publishedDocument);

  const isDated = post.can.publish && hasNewWords(post, document);
  /** Tells whether the post can appear, and else marks what is missing and leads to the first such field. */
  const checkFields = () => {
    const { title, content, cover } = copy.getState().document;
    const isComplete = Boolean(title.trim() && content.trim() && cover);
    if (isComplete) return true;
    flushSync(() => {
      setPanel(undefined);
      setChecked(true);
    });
    showReason(({ editor }) => editor.missingFields);
    const marked = fields.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [];
    [...marked].find((field) => field.checkVisibility())?.focus();
    return false;
  };
  /** The original never waits for a translation: the server translates behind it what is missing, and releases it then. */
  const publish = async (options?: PublishOptions) => {
    if (!checkFields()) return false;
    const { small, note } = announcement;
    const said = small ? { small } : note?.trim() && { note };
    const isDone = await actions.publish({ ...options, ...(isDated && said) });
    if (!isDone) return false;
    setAnnouncement({});
    await overview.refresh();
    return true;
  };
  if (settling || status.name === 'stale' || post.elsewhere) {
    return (
      <DeskConflict
        post={post}
        copy={copy}
        state={settling ?? state}
        onSettling={setSettling}
        onPost={onPost}
      />
    );
  }
  return (
    <>
      <h1 className="sr-only">{messages.editor.title}</h1>
      <ScheduleNote post={post} />
      <div ref={fields}>
        <DeskFields
          post={post}
          copy={copy}
          document={document}
          isChecked={isChecked}
          overview={overview}
          onSave={actions.save}
        />
      </div>
      <Ended copy={copy} isEnded={status.name === 'session-ended'} />
      <div className="desk-bar sticky bottom-0 z-20 -mx-4 mt-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-hairline bg-paper px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:mx-0 sm:px-0">
        {isDated && <ChangeNote announcement={announcement} onChange={setAnnouncement} />}
        <Status post={post} changed={changed}>
          <SaveState status={status} onRetry={() => void copy.flush()} />
        </Status>
        <DeskActionBar
          post={post}
          changed={changed}
          actions={actions}
          onOpen={setPanel}
          onPublish={() => void publish()}
        />
      </div>
      <Panels
        panel={panel}
        post={post}
        copy={copy}
        actions={{ ...actions, publish }}
        onClose={() => setPanel(undefined)}
      />
    </>
  );
}

/** Returns the state of a working copy, which saves in the background while the component is shown. */
function useWorkingCopy(copy: WorkingCopy): WorkingCopyState {
  useEffect(() => copy.start(), [copy]);
  return useSyncExternalStore(copy.subscribe, copy.getState, copy.getState);
}

interface DeskFieldsProps extends Pick<DeskProps, 'post' | 'copy'> {
  document: DeskPost['document'];
  /** Whether fields show an error while they lack what publishing needs. */
  isChecked: boolean;
  overview: TranslationsOverview;
  onSave(): Promise<boolean>;
}

function DeskFields({ post, copy, document, isChecked, overview, onSave }: DeskFieldsProps) {
  const readOnly = !post.can.edit;
  const { cover } = document;
  const text = document.contentFormat === 'markdown' ? document.content : '';
  // A phone takes words sooner when the fields beside the text are rendered after it.
  const isTextShown = useDeferredValue(true, false);
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-10 pt-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid grid-cols-1 content-start gap-6">
        <LanguageTabs
          postId={post.id}
          source={document.language}
          languages={overview.data?.languages ?? []}
          open="original"
          onLeave={() => copy.flush()}
        />
        <OriginalText
          document={document}
          canDescribe={post.can.describePictures}
          readOnly={readOnly}
          isChecked={isChecked}
          onChange={(changes) => copy.change(changes)}
        />
      </div>
      {isTextShown ? (
        <div className="grid content-start gap-8">
          <CoverField
            cover={cover}
            readOnly={readOnly}
            isChecked={isChecked}
            onChange={(next) => copy.change({ cover: next })}
          />
          <PicturesField
            cover={cover}
            pictures={document.pictures}
            text={text}
            language={document.language}
            canDescribe={post.can.describePictures}
            readOnly={readOnly}
            onChange={(changes) => copy.change(changes)}
          />
          <MoreFields
            details={document}
            words={cover}
            src={cover?.url}
            text={text}
            taken={new Set(lettersOf(document.pictures))}
            described={post.can.describePictures ? cover?.url : undefined}
            readOnly={readOnly}
            canEditByline={post.can.publish}
            goneAccounts={post.goneAccounts}
            owner={post.owner}
            onChange={(changes) => copy.change(changes)}
            onChangeWords={(words) => cover && copy.change({ cover: { ...cover, ...words } })}
          />
          <TranslationsPanel postId={post.id} overview={overview} readOnly={readOnly} onTranslate={onSave} />
        </div>
      ) : (
        <div className="skeleton aspect-[4/5]" />
      )}
    </div>
  );
}

function Status({ post, changed, children }: { post: DeskPost; changed: boolean; children: ReactNode }) {
  const { schedule } = useDeskMessages();
  const times = useTimes();
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
      {post.state === 'scheduled' && post.scheduledAt !== null ? (
        <p className="text-sm font-medium">
          {schedule.scheduled(times.zoned(post.scheduledAt, post.timeZone))}
        </p>
      ) : (
        <StateMark state={post.state} changed={changed} className="text-sm font-medium" />
      )}
      {children}
    </div>
  );
}

/** Asks to sign in again after the session has ended, and saves what was kept meanwhile. */
function Ended({ copy, isEnded }: { copy: WorkingCopy; isEnded: boolean }) {
  const texts = useDeskMessages().saving;
  const { status } = useAuth();
  if (!isEnded || status === 'authenticated') return null;
  return (
    <div className="mt-8">
      <SessionEnded description={texts.sessionEnded} onReturn={() => void copy.flush()} />
    </div>
  );
}

interface PanelsProps extends Pick<DeskProps, 'post' | 'copy'> {
  panel: DeskPanel | undefined;
  actions: DeskActions;
  onClose(): void;
}

function Panels({ panel, post, copy, actions, onClose }: PanelsProps) {
  if (panel === 'preview') {
    return <PreviewDialog postId={post.id} onOpen={actions.save} onClose={onClose} />;
  }
  // What is under way in a panel ends in it: it closes no other one, and nothing is written that it would replace.
  const closeUnless = (action: DeskActions['busy']) => () => actions.busy === action || onClose();
  if (panel === 'schedule') {
    const schedule = async (options: { at: number; timeZone: string }) => {
      if (await actions.publish(options)) onClose();
    };
    return (
      <ScheduleDialog
        at={post.scheduledAt}
        timeZone={post.timeZone}
        onSchedule={schedule}
        onClose={closeUnless('schedule')}
      />
    );
  }
  if (panel !== 'history') return null;
  return (
    <HistoryDrawer
      postId={post.id}
      document={copy.getState().document}
      readOnly={!post.can.edit}
      onRestore={async ({ id }) => {
        if (await actions.restore(id)) onClose();
      }}
      onClose={closeUnless('restore')}
    />
  );
}
