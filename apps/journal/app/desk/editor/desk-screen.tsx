import { FabricaError } from '@fabrica/client';
import { useState } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '../../ui/button-class.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { currentCopyOf, type DeskPost } from '../desk-client.ts';
import { withoutTranslations } from '../document.ts';
import { takeOpened } from '../open-early.ts';
import { isSameDocument } from '../saving/merge-documents.ts';
import { WorkingCopy } from '../saving/working-copy.ts';
import { FailedStatement, Statement } from '../statement.tsx';
import { useDesk, useDeskMessages } from '../use-desk.ts';
import { Desk } from './desk.tsx';

type Opened = { post: DeskPost; copy: WorkingCopy } | 'missing';

/** Loads a post and opens it on the desk. */
export function DeskScreen({ userId, postId }: { userId: string; postId: string }) {
  const texts = useDeskMessages().editor;
  const desk = useDesk();
  const loaded = useLoadedData(postId, async (): Promise<Opened> => {
    try {
      const post = (await takeOpened(postId)) ?? (await desk.read(postId));
      const { version, document, updatedBy, updatedAt } = post;
      const current = { version, document, updatedBy, updatedAt };
      let isScheduled = post.state === 'scheduled';
      const copy = new WorkingCopy({
        authorId: userId,
        id: postId,
        loaded: current,
        save: async (copy, options) => {
          const saved = await desk.save(postId, withoutTranslations(copy), options);
          if (isScheduled && saved.state !== 'scheduled') {
            isScheduled = false;
            // The save has succeeded, whether the new state can be shown now or with the next visit.
            void desk.read(postId).then(setShown, () => undefined);
          }
          return saved;
        },
        isSame: isSameDocument,
        currentOf: currentCopyOf,
      });
      return { post, copy };
    } catch (error) {
      if (error instanceof FabricaError && (error.status === 404 || error.status === 403)) return 'missing';
      throw error;
    }
  });
  const [shown, setShown] = useState<DeskPost>();
  const { data } = loaded;

  if (loaded.status === 'failed') {
    return <FailedStatement title={texts.failed} onRetry={loaded.reload} />;
  }
  if (!data) {
    return (
      <>
        <p role="status" className="sr-only">
          {texts.loading}
        </p>
        <DeskSkeleton />
      </>
    );
  }
  if (data === 'missing') {
    return (
      <Statement title={texts.missing.title} text={texts.missing.text}>
        <Link to="/admin/posts" className={`${buttonClass({ variant: 'outline' })} mt-3`}>
          {texts.back}
        </Link>
      </Statement>
    );
  }
  const post = shown?.id === postId ? shown : data.post;
  return <Desk key={postId} post={post} copy={data.copy} onPost={setShown} />;
}

/** Reserves the place of the desk until its post is loaded. */
export function DeskSkeleton() {
  return (
    <div className="grid gap-x-16 gap-y-10 pt-6 unscripted:hidden lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid content-start gap-6">
        <div className="skeleton h-11" />
        <div className="skeleton h-[4.5625rem]" />
        <div className="skeleton h-96" />
      </div>
      <div className="skeleton aspect-[4/5]" />
    </div>
  );
}
