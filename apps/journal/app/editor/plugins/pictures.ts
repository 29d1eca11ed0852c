import { NodeSelection, Plugin, PluginKey, TextSelection } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { schema } from '../document/schema.ts';

/** A picture as the storage has taken it. */
export interface StoredPicture {
  url: string;
  /** Pixels; `null` when they are not known. */
  width: number | null;
  height: number | null;
}

export interface PictureOptions {
  /** Uploads a picture. A rejection has been shown to the author. */
  upload(file: File): Promise<StoredPicture>;
  /** The words in the place of a picture that is on its way. */
  uploading: string;
}

const key = new PluginKey<DecorationSet>('pictures');

type Change = { add: { id: object; pos: number } } | { remove: object };

/** Takes pictures that are dropped or pasted. Their place is kept while they are uploaded, wherever the text moves. */
export function pictures({ upload, uploading }: PictureOptions): Plugin {
  const take = (view: EditorView, files: FileList | undefined, pos: number | undefined) => {
    const images = [...(files ?? [])].filter(isPicture);
    if (images.length === 0 || !view.editable) return false;
    for (const image of images) void insertPicture(view, image, { upload, pos });
    return true;
  };
  return new Plugin({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const mapped = set.map(tr.mapping, tr.doc);
        const change: Change | undefined = tr.getMeta(key);
        if (!change) return mapped;
        if ('remove' in change) {
          return mapped.remove(mapped.find(undefined, undefined, (spec) => spec.id === change.remove));
        }
        const { id, pos } = change.add;
        return mapped.add(tr.doc, [Decoration.widget(pos, () => placeholder(uploading), { id })]);
      },
    },
    props: {
      decorations: (state) => key.getState(state),
      handleDrop(view, event, _, moved) {
        if (moved) return false;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
        const taken = take(view, event.dataTransfer?.files, at);
        if (taken) event.preventDefault();
        return taken;
      },
      handlePaste(view, event) {
        // Word puts a picture of the whole beside the text that is copied.
        const hasText = event.clipboardData?.types.includes('text/html');
        return !hasText && take(view, event.clipboardData?.files, undefined);
      },
    },
  });
}

/** What is typed while a picture is selected goes into its caption, and does not take the picture's place. */
export function captions(): Plugin {
  return new Plugin({
    props: {
      handleTextInput({ state: { selection, tr }, dispatch }, _from, _to, text) {
        if (!(selection instanceof NodeSelection) || selection.node.type !== schema.nodes.figure)
          return false;
        const end = selection.to - 1;
        tr.insertText(text, end).setSelection(TextSelection.create(tr.doc, end + text.length));
        dispatch(tr.scrollIntoView());
        return true;
      },
    },
  });
}

/** Systems that do not know HEIC and TIFF name no type for them. */
function isPicture({ type, name }: File): boolean {
  return type.startsWith('image/') || /\.(?:heic|heif|tiff?)$/i.test(name);
}

/** Uploads a picture and puts it after the block at `pos`, or at the cursor. */
export async function insertPicture(
  view: EditorView,
  file: File,
  { upload, pos }: { upload: PictureOptions['upload']; pos?: number | undefined },
): Promise<void> {
  const id = {};
  const at = positionAfterBlock(view, pos ?? view.state.selection.to);
  view.dispatch(view.state.tr.setMeta(key, { add: { id, pos: at } } satisfies Change));
  const picture = await upload(file).catch(() => null);
  if (view.isDestroyed) return;
  const place = key.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id)[0]?.from;
  const tr = view.state.tr.setMeta(key, { remove: id } satisfies Change);
  if (picture && place !== undefined) {
    const { url: src, width, height } = picture;
    tr.insert(place, schema.node('figure', { src, width, height }));
  }
  view.dispatch(tr.scrollIntoView());
}

function positionAfterBlock({ state: { doc } }: EditorView, pos: number): number {
  const $pos = doc.resolve(pos);
  const isFootnote = $pos.depth > 0 && $pos.node(1).type === schema.nodes.footnote_definition;
  if ($pos.depth === 0) return pos;
  return isFootnote || $pos.parent.content.size > 0 ? positionInBody($pos.after(1), doc) : $pos.before(1);
}

/** Footnotes stay at the end. */
function positionInBody(pos: number, doc: EditorView['state']['doc']): number {
  const body = doc.children.filter(({ type }) => type !== schema.nodes.footnote_definition);
  return Math.min(
    pos,
    body.reduce((size, { nodeSize }) => size + nodeSize, 0),
  );
}

function placeholder(words: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'picture-on-its-way';
  element.textContent = words;
  return element;
}
