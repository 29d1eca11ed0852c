import type { FabricaClient } from '@fabrica/client';
import { isSessionEnded } from './failures.ts';
import type { PublishPhase } from './publish-post.ts';

/** What this tab is doing: null for nothing. After `session-ended`, its author has to sign in again. */
export type Phase = PublishPhase | { name: 'session-ended' } | null;

/** A page that its author leaves is gone after this many milliseconds. */
const LEAVING_MS = 5_000;

/** The one publication of a tab, which goes on while its author visits other pages. */
export class Publishing {
  #phase: Phase = null;
  #abort = new AbortController();
  readonly #listeners = new Set<() => void>();
  /** Resolves unless the page is about to go. Browsers fail the calls of such a page, and nothing is to follow from that. */
  stays = Promise.resolve();

  readonly getPhase = (): Phase => this.#phase;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get isBusy(): boolean {
    return this.#phase !== null && this.#phase.name !== 'session-ended';
  }

  readonly setPhase = (phase: Phase): void => {
    this.#phase = phase;
    for (const listener of this.#listeners) listener();
  };

  /** Does what publishes, unless something is being published. The browser asks meanwhile before the page is left. */
  async run(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.setPhase({ name: 'uploading', fraction: 0 });
    window.addEventListener('beforeunload', this.#askBeforeLeaving);
    try {
      await act(signal);
      if (!signal.aborted) this.setPhase(null);
    } catch (error) {
      if (!signal.aborted) this.setPhase(isSessionEnded(error) ? { name: 'session-ended' } : null);
      throw error;
    } finally {
      window.removeEventListener('beforeunload', this.#askBeforeLeaving);
    }
  }

  readonly #askBeforeLeaving = (event: BeforeUnloadEvent) => {
    event.preventDefault();
    this.stays = new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
  };

  /** Stops, unless the post is being sent already. Returns whether something was stopped. */
  cancel(): boolean {
    if (!this.isBusy || this.#phase?.name === 'publishing') return false;
    this.#abort.abort();
    this.setPhase(null);
    return true;
  }
}

const publishings = new WeakMap<FabricaClient, Publishing>();

export function publishingOf(client: FabricaClient): Publishing {
  const known = publishings.get(client) ?? new Publishing();
  publishings.set(client, known);
  return known;
}
