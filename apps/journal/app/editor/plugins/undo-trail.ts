import { redo, undo } from 'prosemirror-history';
import { Node } from 'prosemirror-model';
import { EditorState, type Plugin, type Transaction } from 'prosemirror-state';
import { Step } from 'prosemirror-transform';
import { schema } from '../document/schema.ts';
import { forgetUndo, UNDO_PREFIX } from '../forget-undo.ts';

/** Changes that can be taken back after a reload, at least. */
const MAX_ENTRIES = 400;
/** Changes that are forgotten at a time: the base of those that stay is the whole text, and is written anew then. */
const FORGOTTEN_AT_ONCE = 100;

/** A change as it is stored: its steps and its time, or that another one was taken back or made again. */
type Entry = 'undo' | 'redo' | { steps: unknown[]; time: number; unrecorded?: true };

/**
 * Remembers the changes of a text in this tab, so that a reload can make them again one by one: that rebuilds what can be
 * taken back.
 */
export class UndoTrail {
  readonly #key: string;
  #base: Node;
  /** The JSON of `#base`, which is large and seldom changes. */
  #storedBase: string | undefined;
  #entries: { entry: Entry; after: Node }[] = [];

  constructor(key: string, base: Node) {
    this.#key = UNDO_PREFIX + key;
    this.#base = base;
  }

  /** Remembers a transaction that a state has taken. */
  record(transaction: Transaction, after: Node): void {
    const history = transaction.getMeta('history$') as { redo: boolean } | undefined;
    if (!transaction.docChanged && !history) return;
    this.#entries.push({ entry: history ? (history.redo ? 'redo' : 'undo') : entryOf(transaction), after });
    if (this.#entries.length <= MAX_ENTRIES + FORGOTTEN_AT_ONCE) return;
    const last = this.#entries.splice(0, FORGOTTEN_AT_ONCE).at(-1);
    if (!last) return;
    this.#base = last.after;
    this.#storedBase = undefined;
  }

  /** Stores the trail for a reload. A full storage costs the undo after it, and nothing else. */
  save(): void {
    this.#storedBase ??= JSON.stringify(this.#base.toJSON());
    const entries = JSON.stringify(this.#entries.map(({ entry }) => entry));
    try {
      sessionStorage.setItem(this.#key, `{"base":${this.#storedBase},"entries":${entries}}`);
    } catch {
      forgetUndo();
    }
  }

  /** Returns the state that the stored changes lead to, if `isCurrent` knows its document. */
  restore(plugins: readonly Plugin[], isCurrent: (document: Node) => boolean): EditorState | null {
    try {
      const stored = sessionStorage.getItem(this.#key);
      if (stored === null) return null;
      const { base, entries } = JSON.parse(stored) as { base: unknown; entries: Entry[] };
      const document = Node.fromJSON(schema, base);
      let state = EditorState.create({ doc: document, plugins: [...plugins] });
      const passed: { entry: Entry; after: Node }[] = [];
      for (const entry of entries) {
        state = repeat(entry, state);
        passed.push({ entry, after: state.doc });
      }
      if (!isCurrent(state.doc)) return null;
      this.#base = document;
      this.#storedBase = JSON.stringify(base);
      this.#entries = passed;
      return state;
    } catch {
      // The trail of another release may not fit the schema any more.
      return null;
    }
  }
}

function entryOf(transaction: Transaction): Entry {
  const steps = transaction.steps.map((step) => step.toJSON());
  const isUnrecorded = transaction.getMeta('addToHistory') === false;
  return { steps, time: transaction.time, ...(isUnrecorded && { unrecorded: true }) };
}

function repeat(entry: Entry, state: EditorState): EditorState {
  if (typeof entry === 'string') {
    let next = state;
    (entry === 'undo' ? undo : redo)(state, (transaction) => {
      next = state.apply(transaction);
    });
    return next;
  }
  const transaction = state.tr;
  for (const step of entry.steps) transaction.step(Step.fromJSON(schema, step));
  transaction.setTime(entry.time);
  if (entry.unrecorded) transaction.setMeta('addToHistory', false);
  return state.apply(transaction);
}
