import { type EditorState, Plugin, PluginKey } from 'prosemirror-state';
import { schema } from '../document/schema.ts';

/** Holds what is typed after a `/` that opens the menu. */
export interface SlashQuery {
  /** The place of the `/` in the document. */
  from: number;
  text: string;
}

export interface SlashMenuOptions {
  /** Called when the menu opens, changes or closes. */
  onQuery(query: SlashQuery | null): void;
  /** Returns whether the open menu has taken the key. */
  onKey(event: KeyboardEvent): boolean;
}

interface SlashState {
  query: SlashQuery | null;
  /** The place of a `/` whose menu was closed. */
  dismissed: number | null;
}

const key = new PluginKey<SlashState>('slash-menu');

/** Watches for a `/` at the start of a word of a paragraph. Escape closes the menu until another is typed. */
export function slashMenu({ onQuery, onKey }: SlashMenuOptions): Plugin {
  return new Plugin<SlashState>({
    key,
    state: {
      init: () => ({ query: null, dismissed: null }),
      apply(tr, { dismissed: before }, _, state) {
        const dismissed: number | null =
          tr.getMeta(key) ?? (before === null ? null : tr.mapping.map(before, -1));
        // A click beside an earlier `/` opens nothing: the menu is for what is being typed.
        const isTyping = tr.docChanged || tr.getMeta(key) !== undefined;
        const found = isTyping ? findQuery(state) : null;
        return { query: found?.from === dismissed ? null : found, dismissed: found ? dismissed : null };
      },
    },
    props: {
      handleKeyDown(view, event) {
        const open = key.getState(view.state)?.query;
        if (!open) return false;
        if (event.key === 'Escape') {
          view.dispatch(view.state.tr.setMeta(key, open.from));
          return true;
        }
        return onKey(event);
      },
    },
    view: () => ({
      update({ state }, earlier) {
        const query = key.getState(state)?.query ?? null;
        if (query !== (key.getState(earlier)?.query ?? null)) onQuery(query);
      },
    }),
  });
}

function findQuery({ selection, doc }: EditorState): SlashQuery | null {
  const { $from, empty } = selection;
  if (!empty || $from.parent.type !== schema.nodes.paragraph) return null;
  const before = doc.textBetween($from.start(), $from.pos, undefined, '￼');
  const [, text] = /(?:^|\s)\/([\p{L}\d-]{0,20})$/u.exec(before) ?? [];
  return text === undefined ? null : { from: $from.pos - text.length - 1, text };
}
