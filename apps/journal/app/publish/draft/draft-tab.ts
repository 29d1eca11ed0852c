import type { FabricaClient } from '@fabrica/client';
import { attempt, draftTask } from '../publishing/attempt.ts';
import { isPublisherBusy, type PostPublisher } from '../publishing/post-publisher.ts';
import { draftIdOf, listDrafts } from './stored-drafts.ts';

export type DraftTabState =
  | { name: 'opening' }
  | { name: 'editing'; draftId: string }
  /** Another tab edits the draft. */
  | { name: 'elsewhere'; draftId: string };

/**
 * Decides which draft this tab edits. Each draft belongs to one tab at a time, by a lock that all tabs of the browser
 * share, so that none overwrites what another one writes. On plain HTTP there are no locks, and tabs share one draft.
 */
export interface DraftTab {
  /** Returns the same object until the state changes. */
  getState(): DraftTabState;
  subscribe(listener: () => void): () => void;
  /**
   * Opens the draft that this tab had, or else the author's first; an empty one for a visit that begins a post, once for
   * each visit.
   */
  enter(beginning?: string): void;
  /** Leaves the draft to other tabs, once nothing works on it any more. */
  leave(): void;
  /** Takes the draft from the other tab. Returns false when it is being translated or published there. */
  takeOver(): Promise<boolean>;
  /** Opens a draft that no tab edits: a stored one, or a new one. */
  openAnother(): Promise<void>;
  /** Opens one of the author's drafts on this device in place of the present one. */
  openDraft(number: number): Promise<void>;
}

export interface DraftTabOptions {
  authorId: string;
  publisher: Pick<PostPublisher, 'getPhase' | 'subscribe'>;
}

const tabs = new WeakMap<FabricaClient, Map<string, DraftTab>>();

/** Returns the one of this tab for an author. It keeps its draft while a publish continues on other pages. */
export function draftTabOf(client: FabricaClient, options: DraftTabOptions): DraftTab {
  const known = tabs.get(client) ?? new Map<string, DraftTab>();
  tabs.set(client, known);
  const tab = known.get(options.authorId) ?? createDraftTab(options);
  known.set(options.authorId, tab);
  return tab;
}

function createDraftTab({ authorId, publisher }: DraftTabOptions): DraftTab {
  const listeners = new Set<() => void>();
  let state: DraftTabState = { name: 'opening' };
  let isWanted = false;
  let isOpening = false;
  let begun: string | undefined;
  let release: (() => void) | undefined;
  const setState = (next: DraftTabState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const releaseUnwanted = () => {
    if (isWanted || isOpening || isPublisherBusy(publisher.getPhase())) return;
    release?.();
    release = undefined;
    setState({ name: 'opening' });
  };
  publisher.subscribe(releaseUnwanted);

  /** Takes the lock of a draft and opens it. Returns whether that succeeded. */
  function hold(number: number, options: LockOptions): Promise<boolean> {
    const draftId = draftIdOf(authorId, number);
    return new Promise((resolve) => {
      const held = navigator.locks.request(`fabrica_draft_tab_${draftId}`, options, (lock) => {
        if (!lock) return resolve(false);
        rememberDraft(number);
        setState({ name: 'editing', draftId });
        resolve(true);
        return new Promise<void>((done) => {
          release = done;
        });
      });
      held.catch(() => {
        // Another tab has taken the draft over.
        release = undefined;
        setState({ name: 'elsewhere', draftId });
      });
    });
  }

  /** Opens a draft if no other tab has it. Returns whether none has. */
  async function openFree(number: number): Promise<boolean> {
    if (navigator.locks) return hold(number, { ifAvailable: true });
    rememberDraft(number);
    setState({ name: 'editing', draftId: draftIdOf(authorId, number) });
    return true;
  }

  async function openDraft(number: number): Promise<void> {
    release?.();
    release = undefined;
    if (!(await openFree(number))) setState({ name: 'elsewhere', draftId: draftIdOf(authorId, number) });
  }

  async function openEmpty(): Promise<void> {
    const stored = listDrafts(authorId);
    for (let number = 1; stored.includes(number) || !(await openFree(number)); number += 1);
  }

  async function openAnother(): Promise<void> {
    for (const number of listDrafts(authorId)) if (await openFree(number)) return;
    await openEmpty();
  }

  async function open(): Promise<void> {
    const stored = listDrafts(authorId);
    const remembered = rememberedDraft();
    if (stored.includes(remembered)) return openDraft(remembered);
    // The tab began a post in which nothing is written yet.
    if (remembered > 0 && (await openFree(remembered))) return;
    const [first] = stored;
    if (first === undefined || remembered > 0) return openEmpty();
    await openDraft(first);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter(beginning) {
      isWanted = true;
      if (isOpening || state.name === 'editing') return;
      isOpening = true;
      const begins = beginning !== undefined && beginning !== begun;
      begun = beginning ?? begun;
      void (begins ? openEmpty() : open()).finally(() => {
        isOpening = false;
        releaseUnwanted();
      });
    },
    leave() {
      isWanted = false;
      releaseUnwanted();
    },
    async takeOver() {
      if (state.name !== 'elsewhere') return true;
      const { draftId } = state;
      const number = draftId === authorId ? 1 : Number(draftId.slice(authorId.length + 1));
      const taken = await attempt(draftTask(draftId), () => hold(number, { steal: true }));
      return taken === true;
    },
    openAnother,
    openDraft,
  };
}

const REMEMBERED = 'fabrica_draft';

/** Remembers the draft for a reload of this tab. */
function rememberDraft(number: number): void {
  try {
    sessionStorage.setItem(REMEMBERED, String(number));
  } catch {
    // The tab then opens the first draft.
  }
}

function rememberedDraft(): number {
  try {
    return Number(sessionStorage.getItem(REMEMBERED)) || 0;
  } catch {
    return 0;
  }
}
