import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history, redoDepth, undoDepth } from 'prosemirror-history';
import type { MarkType, Node, NodeType } from 'prosemirror-model';
import { EditorState, type Plugin, Selection, TextSelection } from 'prosemirror-state';
import { isInTable, tableEditing } from 'prosemirror-tables';
import { EditorView } from 'prosemirror-view';
import { type BlockStyle, blockStyle, findAround } from '../commands/blocks.ts';
import { typedMarkdown } from '../commands/input-rules.ts';
import { editorKeymap, type KeymapOptions } from '../commands/keymap.ts';
import { schema } from '../document/schema.ts';
import {
  type FormattedText,
  positionInDocument,
  readDocument,
  writeDocument,
} from '../document/text-document.ts';
import type { PasteLosses } from '../paste/keep-meaning.ts';
import { pasting } from '../paste/pasting.ts';
import { integrity } from '../plugins/integrity.ts';
import { type NumberingWords, numbering } from '../plugins/numbering.ts';
import { captions, type PictureOptions, pictures } from '../plugins/pictures.ts';
import { type SlashMenuOptions, slashMenu } from '../plugins/slash-menu.ts';
import { typedCursor } from '../plugins/typed-cursor.ts';
import { UndoTrail } from '../plugins/undo-trail.ts';
import type { Caret } from '../text-editor-props.ts';
import { figureAt } from './actions.ts';
import { type FigureWords, nodeViews } from './node-views.ts';

/** Describes what the toolbar shows of the place of the cursor. */
export interface EditorStatus {
  style: BlockStyle | null;
  strong: boolean;
  em: boolean;
  sup: boolean;
  sub: boolean;
  link: boolean;
  /** The letter of the mark that the words are tied to. */
  passage: string | null;
  bullet: boolean;
  ordered: boolean;
  quote: boolean;
  inTable: boolean;
  /** The alignment of the column. */
  align: string | null;
  inFigure: boolean;
  isEmpty: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

interface TextViewOptions {
  text: FormattedText;
  undoKey: string | undefined;
  attributes: Record<string, string>;
  readOnly: boolean;
  words: NumberingWords & { figure: FigureWords };
  keys: KeymapOptions;
  menu: SlashMenuOptions;
  pictures: PictureOptions | undefined;
  /** Returns the URL that a picture is loaded from. */
  pictureUrl(src: string): string;
  /** Opens what describes the selected picture. */
  describe(): void;
  /** Returns the pixels at the top and at the bottom of the window that lie over the text. */
  covered(): { top: number; bottom: number };
  onStatus(status: EditorStatus): void;
  onText(text: FormattedText): void;
  onPasteLosses(losses: PasteLosses): void;
}

/** `onText` is called this many milliseconds after the last key. */
const PAUSE_MS = 300;

/** Pixels that stay free between the cursor and what lies over the text. */
const LINE_PX = 12;

/** The editor's view, with what happens around a change. */
export class TextView {
  readonly view: EditorView;
  readonly #options: TextViewOptions;
  readonly #trail: UndoTrail | undefined;
  #passedOn: FormattedText;
  #isPending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #status = '';

  constructor(mount: HTMLElement, options: TextViewOptions) {
    this.#options = options;
    this.#passedOn = options.text;
    const doc = readDocument(options.text);
    const plugins = editorPlugins(options);
    this.#trail = options.undoKey === undefined ? undefined : new UndoTrail(options.undoKey, doc);
    const isCurrent = (document: Node) =>
      writeDocument(document, options.text.format).value === writeDocument(doc, options.text.format).value;
    const margins = { top: 0, right: 0, bottom: 0, left: 0 };
    const state = this.#trail?.restore(plugins, isCurrent) ?? EditorState.create({ doc, plugins });
    this.view = new EditorView(mount, {
      state,
      attributes: options.attributes,
      editable: () => !this.#options.readOnly,
      // The cursor stays in sight while somebody types at the end of the window.
      scrollThreshold: margins,
      scrollMargin: margins,
      handleScrollToSelection: () => {
        const { top, bottom } = options.covered();
        Object.assign(margins, { top: top + LINE_PX, bottom: bottom + LINE_PX });
        return false;
      },
      nodeViews: nodeViews({
        pictureUrl: options.pictureUrl,
        words: options.words.figure,
        describe: options.describe,
      }),
      dispatchTransaction: (transaction) => {
        const { state: next, transactions } = this.view.state.applyTransaction(transaction);
        this.view.updateState(next);
        this.#trail?.record(transaction, next.doc);
        if (transactions.some(({ docChanged }) => docChanged)) this.#plan();
        this.#reportStatus();
      },
      handleDOMEvents: {
        keydown: ({ dom }) => {
          readSelection(dom.ownerDocument);
          return false;
        },
        beforeinput: (view, event) => {
          if (!insertWholeText(view, event)) return false;
          this.flush();
          return true;
        },
        blur: () => {
          this.flush();
          return false;
        },
      },
    });
    this.#reportStatus();
  }

  /** Returns what is written, and tells of it if that has not been done. */
  flush(): FormattedText {
    clearTimeout(this.#timer);
    if (this.#isPending) {
      this.#isPending = false;
      this.#passedOn = writeDocument(this.view.state.doc, this.#passedOn.format);
      this.#trail?.save();
      this.#options.onText(this.#passedOn);
    }
    return this.#passedOn;
  }

  /** Returns what is written as Markdown, also where it is plain. */
  markdown(): string {
    this.flush();
    return writeDocument(this.view.state.doc, 'markdown').value;
  }

  /** Replaces what is written by another text, which can be taken back. What is known already is left as it is. */
  replace(text: FormattedText): void {
    if (text.value === this.#passedOn.value && text.format === this.#passedOn.format) return;
    this.#passedOn = text;
    const { tr, doc } = this.view.state;
    const { children } = readDocument(text);
    const next = tr.replaceWith(0, doc.content.size, children);
    this.view.dispatch(next.setSelection(Selection.atStart(next.doc)));
    this.#isPending = false;
    clearTimeout(this.#timer);
    this.#trail?.save();
  }

  /** Puts the cursor where it stood in the text as it is stored, and the focus with it. */
  select({ start, end }: Caret): void {
    const { doc, tr } = this.view.state;
    const at = (characters: number) => positionInDocument(doc, this.#passedOn, characters);
    this.view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(at(start)), doc.resolve(at(end)))));
    this.view.focus();
  }

  setReadOnly(readOnly: boolean): void {
    if (this.#options.readOnly === readOnly) return;
    this.#options.readOnly = readOnly;
    this.view.setProps({});
  }

  setAttributes(attributes: Record<string, string>): void {
    this.view.setProps({ attributes });
  }

  destroy(): void {
    this.flush();
    this.view.destroy();
  }

  #plan(): void {
    this.#isPending = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  #reportStatus(): void {
    const status = statusOf(this.view.state);
    const written = JSON.stringify(status);
    if (written === this.#status) return;
    this.#status = written;
    this.#options.onStatus(status);
  }
}

/**
 * Has the view read where the cursor is. Browsers tell of a moved cursor no sooner than with the next frame, and on a
 * busy machine the next key comes before: it would act where the cursor was.
 */
function readSelection(document: Document): void {
  document.dispatchEvent(new Event('selectionchange'));
}

/** More is put in at once by programs alone. */
const TYPED_AT_ONCE = 200;

/**
 * Puts a text in that a program types for somebody, such as dictation, as a plain text that is pasted: browsers would make a
 * paragraph of each of its lines.
 */
function insertWholeText(view: EditorView, event: InputEvent): boolean {
  const { data, inputType } = event;
  if (inputType !== 'insertText' || !data || !view.editable) return false;
  if (!data.includes('\n') && data.length <= TYPED_AT_ONCE) return false;
  event.preventDefault();
  readSelection(view.dom.ownerDocument);
  view.pasteText(data);
  return true;
}

function editorPlugins(options: TextViewOptions): Plugin[] {
  const { words, keys, menu, pictures: pictureOptions, onPasteLosses } = options;
  return [
    captions(),
    slashMenu(menu),
    typedMarkdown(),
    ...editorKeymap(keys),
    history({ depth: 200 }),
    tableEditing(),
    gapCursor(),
    dropCursor({ color: 'var(--accent)', width: 2 }),
    pasting(onPasteLosses),
    ...(pictureOptions ? [pictures(pictureOptions)] : []),
    numbering(words),
    integrity(),
    typedCursor(),
  ];
}

function statusOf(state: EditorState): EditorStatus {
  const { nodes, marks } = schema;
  const has = (mark: string) => isMarked(state, marks[mark] as MarkType);
  const within = (node: string) => findAround(state, nodes[node] as NodeType) !== undefined;
  const { $from } = state.selection;
  return {
    style: blockStyle(state),
    strong: has('strong'),
    em: has('em'),
    sup: has('sup'),
    sub: has('sub'),
    link: has('link'),
    passage: passageAt(state),
    bullet: within('bullet_list'),
    ordered: within('ordered_list'),
    quote: within('blockquote'),
    inTable: isInTable(state),
    align: ($from.parent.attrs.align as string | undefined) ?? null,
    inFigure: figureAt(state) !== undefined,
    isEmpty: state.doc.childCount === 1 && state.doc.firstChild?.content.size === 0,
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
  };
}

/** Returns the letter of the mark that the selection begins in, if any. */
function passageAt({ selection: { $from }, doc, selection }: EditorState): string | null {
  const set = doc.nodeAt(selection.from)?.marks ?? $from.marks();
  return schema.marks.passage?.isInSet(set)?.attrs.letter ?? null;
}

function isMarked({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}
