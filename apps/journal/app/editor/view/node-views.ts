import type { Node } from 'prosemirror-model';
import type { NodeViewConstructor } from 'prosemirror-view';
import { isStoredPicture } from '../../../project/markdown/directives.ts';

interface NodeViewOptions {
  /** Returns the URL that a picture is loaded from. */
  pictureUrl(src: string): string;
  /** The words in the place of a picture that readers see as a link. */
  missing: string;
}

/** Shows figures with their picture and credit, and tables in a frame that scrolls. */
export function nodeViews({ pictureUrl, missing }: NodeViewOptions): Record<string, NodeViewConstructor> {
  const figure: NodeViewConstructor = (initial) => {
    let node = initial;
    const dom = document.createElement('figure');
    const picture = document.createElement('div');
    picture.contentEditable = 'false';
    const contentDOM = document.createElement('figcaption');
    const credit = document.createElement('p');
    credit.className = 'figure-credit';
    credit.contentEditable = 'false';
    const show = ({ attrs }: Node) => {
      picture.replaceChildren(pictureOf(attrs, { pictureUrl, missing }));
      credit.textContent = [attrs.credit, attrs.licence].filter(Boolean).join(' · ');
      credit.hidden = credit.textContent === '';
    };
    show(node);
    dom.append(picture, contentDOM, credit);
    return {
      dom,
      contentDOM,
      update(next) {
        if (next.type !== node.type) return false;
        if (!next.sameMarkup(node)) show(next);
        node = next;
        return true;
      },
      ignoreMutation: ({ target }) => picture.contains(target) || credit.contains(target),
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

function pictureOf({ src, alt, width, height }: Node['attrs'], { pictureUrl, missing }: NodeViewOptions) {
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
