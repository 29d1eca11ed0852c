import { AuthError, FabricaError } from '@fabrica/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { currentCopyOf } from '../../desk/desk-client.ts';
import type { DeskDocument } from '../../desk/document.ts';
import { storeCopy } from '../../desk/saving/stored-copies.ts';
import type { SaveStatus } from '../../desk/saving/working-copy.ts';
import { useDesk } from '../../desk/use-desk.ts';
import { countCharacters } from '../../ui/text-limit.tsx';
import { buildDocument, saveDraft } from '../publishing/save-post.ts';
import { MAX_CONTENT_LENGTH, MAX_TITLE_LENGTH } from '../translation/translate-part.ts';
import type { DraftState } from './use-draft.ts';

export interface UseServerDraftOptions {
  authorId: string;
  draft: DraftState;
  /** Whether the draft is being translated or published, which saves it too. */
  busy: boolean;
}

export interface ServerDraft {
  /** `undefined` until something of this draft was sent. */
  status: SaveStatus | undefined;
  /** Resolves when nothing is being sent. */
  settle(): Promise<void>;
  /** Throws the draft on the server away; the bin keeps it. */
  discard(): void;
}

/** Milliseconds after the last key before the draft is sent. */
const PAUSE_MS = 1_000;
/** Milliseconds before the server is tried again that could not be reached. */
const RETRY_MS = 10_000;

/** Saves the texts of a new post on the server as they are written, for the author's other devices. */
export function useServerDraft({ authorId, draft, busy }: UseServerDraftOptions): ServerDraft {
  const desk = useDesk();
  const [status, setStatus] = useState<SaveStatus>();
  const [attempt, setAttempt] = useState(0);
  const running = useRef(Promise.resolve());
  const { title, content, contentFormat, sources, details, store, isEmpty } = draft;
  const hasText = Boolean(title.trim() || content.trim());

  const save = async () => {
    const document = buildDocument({ texts: { title, content }, contentFormat, sources, details });
    // The fields say so, too.
    const tooLong = [
      ...(countCharacters(title) > MAX_TITLE_LENGTH ? ['title'] : []),
      ...(countCharacters(content) > MAX_CONTENT_LENGTH ? ['content'] : []),
    ];
    if (tooLong.length > 0) return setStatus({ name: 'refused', reason: 'too-large', fields: tooLong });
    setStatus({ name: 'saving' });
    try {
      await saveDraft({ document, checkpoint: store, desk });
      setStatus({ name: 'saved', at: Date.now() });
    } catch (error) {
      setStatus(statusOf(error, document));
      if (isUnreachable(error)) setTimeout(() => setAttempt((count) => count + 1), RETRY_MS);
    }
  };
  /** Both versions are shown on the desk. */
  const keepForDesk = (document: DeskDocument) => {
    const { id: postId, version } = store.read().desk ?? {};
    if (!postId || !version) return;
    storeCopy({ authorId, postId, tab: 'create' }, { version, document, at: Date.now() });
  };
  const statusOf = (error: unknown, document: DeskDocument): SaveStatus => {
    const theirs = currentCopyOf(error);
    if (theirs) keepForDesk(document);
    if (theirs) return { name: 'stale', theirs };
    if (error instanceof AuthError) return { name: 'session-ended' };
    if (isUnreachable(error) || !(error instanceof FabricaError)) return { name: 'offline' };
    const { code } = error;
    if (code === 'FORBIDDEN') return { name: 'refused', reason: 'forbidden' };
    if (code === 'PAYLOAD_TOO_LARGE') return { name: 'refused', reason: 'too-large' };
    return { name: 'refused', reason: 'invalid', error };
  };
  const saveInTurn = useEffectEvent(() => {
    if (!busy) running.current = running.current.then(save);
  });
  /** The draft as it was published, or was to be: while the response is lost, the server has another version than this device. */
  const published = useRef('');
  const written = JSON.stringify([title, content, contentFormat, sources, details]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt sends the same once more
  useEffect(() => {
    if (busy) published.current = written;
    const isSent = store.read().postId !== undefined && published.current === written;
    if (busy || !hasText || isSent) return;
    const timer = setTimeout(saveInTurn, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written, busy, hasText, attempt]);
  useEffect(() => {
    const retry = () => setAttempt((count) => count + 1);
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
  useEffect(() => {
    if (isEmpty) setStatus(undefined);
  }, [isEmpty]);

  return {
    status,
    settle: () => running.current,
    discard() {
      const saved = store.read().desk;
      // What was written elsewhere is not thrown away from here.
      if (!saved || saved.version === 0 || status?.name === 'stale') return;
      running.current = running.current.then(() =>
        desk.discard(saved.id, saved.version).then(
          () => undefined,
          // It stays in the list of posts then.
          () => undefined,
        ),
      );
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof FabricaError && (error.code === 'NETWORK_ERROR' || error.code === 'RATE_LIMITED');
}
