import { rename, styleOf } from './elements.ts';

/** An item of a list that a program has written as a paragraph, or as a list of its own. */
interface LooseItem {
  element: HTMLElement;
  level: number;
  ordered: boolean;
  start: number;
}

/** Makes nested lists of what Word writes as paragraphs, Word on the web as lists of one item, and Google Docs as lists in lists. */
export function nestLists(body: HTMLElement): void {
  for (const inner of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const before = inner.previousElementSibling;
    if (before?.tagName === 'LI') before.append(inner);
    else {
      const item = body.ownerDocument.createElement('li');
      inner.before(item);
      item.append(inner);
    }
  }
  const taken = new Set<Element>();
  for (const element of body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6, ul, ol')) {
    if (taken.has(element) || !looseItem(element)) continue;
    const run: LooseItem[] = [];
    let next: Element | null = element;
    while (next) {
      const item = looseItem(next as HTMLElement);
      if (!item) break;
      taken.add(next);
      run.push(item);
      next = nextBlock(next);
    }
    buildLists(run);
  }
}

/** Word on the web wraps each of its lists in a `div`. */
function nextBlock(element: Element): Element | null {
  const wrapper = element.parentElement;
  if (element.nextElementSibling || !wrapper?.classList.contains('ListContainerWrapper')) {
    return element.nextElementSibling;
  }
  const next = wrapper.nextElementSibling;
  return next?.classList.contains('ListContainerWrapper') ? next.firstElementChild : next;
}

function looseItem(element: HTMLElement): LooseItem | undefined {
  const [, level] = /mso-list:\s*\S+\s+level(\d+)/i.exec(styleOf(element)) ?? [];
  if (level) {
    const marker = markerOf(element);
    const [, number] = /^\(?(\d+|[a-z]|[ivxlc]+)[.)]/i.exec(marker) ?? [];
    return { element, level: Number(level), ordered: number !== undefined, start: Number(number) || 1 };
  }
  const item = element.firstElementChild;
  const ariaLevel = element.childElementCount === 1 ? item?.getAttribute('data-aria-level') : null;
  if (!ariaLevel || !(item instanceof HTMLElement)) return undefined;
  const ordered = element.tagName === 'OL';
  return { element, level: Number(ariaLevel), ordered, start: Number(element.getAttribute('start')) || 1 };
}

/** Returns the bullet or number that Word has written into the text. */
function markerOf(element: HTMLElement): string {
  return element.querySelector('[style*="mso-list:Ignore" i]')?.textContent?.trim() ?? '';
}

function buildLists(run: readonly LooseItem[]): void {
  const [first] = run;
  if (!first) return;
  const { ownerDocument } = first.element;
  const place = ownerDocument.createElement('div');
  first.element.before(place);
  const open: { list: HTMLElement; level: number }[] = [];
  for (const { element, level, ordered, start } of run) {
    while (open.length > 1 && (open.at(-1)?.level ?? 0) > level) open.pop();
    let top = open.at(-1);
    const tag = ordered ? 'OL' : 'UL';
    if (top && top.level === level && top.list.tagName !== tag) {
      open.pop();
      top = open.at(-1);
    }
    if (!top || top.level < level) {
      const list = ownerDocument.createElement(tag);
      if (ordered && start > 1) list.setAttribute('start', String(start));
      (top?.list.lastElementChild ?? place).append(list);
      top = { list, level };
      open.push(top);
    }
    top.list.append(itemOf(element));
  }
  place.replaceWith(...place.childNodes);
}

/** Returns the item, without the marker that stands in the text. */
function itemOf(element: HTMLElement): HTMLElement {
  for (const marker of element.querySelectorAll('[style*="mso-list:Ignore" i]')) {
    const wrapper = marker.parentElement;
    marker.remove();
    if (wrapper && wrapper !== element && wrapper.textContent?.trim() === '') wrapper.remove();
  }
  const item = element.querySelector<HTMLElement>(':scope > li');
  const wrapper = element.closest('.ListContainerWrapper');
  if (item) {
    element.remove();
    if (wrapper?.childElementCount === 0) wrapper.remove();
    return item;
  }
  const renamed = rename(element, 'li');
  renamed.remove();
  return renamed;
}
