import type { Node } from 'prosemirror-model';
import { NodeSelection } from 'prosemirror-state';
import type { NodeViewConstructor } from 'prosemirror-view';
import { isStoredPicture } from '../../../project/markdown/directives.ts';

interface NodeViewOptions {
  /** Returns the URL that a picture is loaded from. */
  pictureUrl(src: string): string;
  words: FigureWords;
  /** Opens what describes the selected picture. */
  describe(): void;
}

export interface FigureWords {
  /** Stand in the place of a picture that readers see as a link. */
  missing: string;
  /** Stands in the place of a caption that is not written yet. */
  caption: string;
  /** Says that the alternative text is missing, and leads to it. */
  undescribed: string;
}

/**
 * Shows figures with their picture and credit, and tables in a frame that scrolls. A press selects a picture; one without an
 * alternative text has a reminder, which leads to it.
 */
export function nodeViews({
  pictureUrl,
  words,
  describe,
}: NodeViewOptions): Record<string, NodeViewConstructor> {
  const figure: NodeViewConstructor = (initial, view, getPos) => {
    let node = initial;
    const dom = document.createElement('figure');
    const select = () => {
      const pos = getPos();
      if (pos === undefined) return;
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
      view.focus();
    };
    const picture = document.createElement('div');
    picture.contentEditable = 'false';
    picture.addEventListener('click', select);
    const contentDOM = document.createElement('figcaption');
    contentDOM.dir = 'auto';
    contentDOM.dataset.placeholder = words.caption;
    const reminder = document.createElement('button');
    reminder.type = 'button';
    reminder.className = 'figure-reminder';
    reminder.contentEditable = 'false';
    reminder.textContent = words.undescribed;
    reminder.addEventListener('click', () => {
      select();
      describe();
    });
    const credit = document.createElement('p');
    credit.className = 'figure-credit';
    credit.contentEditable = 'false';
    const show = ({ attrs }: Node) => {
      picture.replaceChildren(pictureOf(attrs, { pictureUrl, missing: words.missing }));
      reminder.hidden = attrs.alt.trim() !== '' || !isStoredPicture(attrs.src);
      credit.textContent = [attrs.credit, attrs.licence].filter(Boolean).join(' · ');
      credit.hidden = credit.textContent === '';
    };
    const showCaption = ({ content }: Node) => contentDOM.classList.toggle('unwritten', content.size === 0);
    show(node);
    showCaption(node);
    dom.append(picture, contentDOM, credit, reminder);
    return {
      dom,
      contentDOM,
      update(next) {
        if (next.type !== node.type) return false;
        if (!next.sameMarkup(node)) show(next);
        showCaption(next);
        node = next;
        return true;
      },
      stopEvent: ({ target }) => reminder.contains(target as globalThis.Node),
      ignoreMutation: ({ target }) => [picture, credit, reminder].some((own) => own.contains(target)),
    };
  };
  const table: NodeViewConstructor = () => {
    const dom = document.createElement('div');
    dom.className = 'table-frame';
    const contentDOM = document.createElement('tbody');
    const element = document.createElement('table');
    element.append(contentDOM);
    dom.append(element);
    return { dom, contentDOM };
  };
  return { figure, table };
}

interface PictureOptions extends Pick<NodeViewOptions, 'pictureUrl'>, Pick<FigureWords, 'missing'> {}

function pictureOf({ src, alt, width, height }: Node['attrs'], { pictureUrl, missing }: PictureOptions) {
  if (!isStoredPicture(src)) {
    const note = document.createElement('p');
    note.className = 'picture-on-its-way';
    note.textContent = `${missing} ${src}`;
    return note;
  }
  const image = document.createElement('img');
  image.alt = alt;
  image.draggable = false;
  if (width && height) [image.width, image.height] = [width, height];
  image.src = pictureUrl(src);
  return image;
}
