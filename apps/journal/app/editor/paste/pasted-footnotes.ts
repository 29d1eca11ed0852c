/** Matches the ids of marks as Word, Google Docs, LibreOffice and pandoc write them; others are known by their way back. */
const BACK = 'a[href^="#"]';

/**
 * Marks footnotes for the schema: a link to a note that links back to it is a footnote's mark, and the note is its text. That
 * holds for Word, Google Docs, LibreOffice, WordPress and pandoc alike.
 */
export function markFootnotes(body: HTMLElement): void {
  let count = 0;
  const links = [...body.querySelectorAll<HTMLAnchorElement>(BACK)];
  for (const link of links) {
    if (!link.isConnected && !body.contains(link)) continue;
    const note = noteOf(link, body);
    if (!note) continue;
    const block = blockOf(note.target, body);
    if (
      !block ||
      block.contains(link) ||
      link.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_PRECEDING
    ) {
      continue;
    }
    count += 1;
    const label = `pasted-${count}`;
    removeBackLink(note.back);
    const definition = body.ownerDocument.createElement('div');
    definition.setAttribute('data-footnote-definition', label);
    definition.append(
      ...(block.matches('div, li, section, aside, dd') ? block.childNodes : [block.cloneNode(true)]),
    );
    block.remove();
    body.append(definition);
    const mark = body.ownerDocument.createElement('sup');
    mark.setAttribute('data-footnote', label);
    markElement(link).replaceWith(mark);
  }
  removeEmptyNotes(body);
}

/** Returns what a link leads to, if that leads back to the link. */
function noteOf(link: HTMLAnchorElement, body: HTMLElement) {
  const name = link.getAttribute('href')?.slice(1) ?? '';
  const target = name && body.querySelector(`[id="${CSS.escape(name)}"], a[name="${CSS.escape(name)}"]`);
  if (!target) return undefined;
  const names = namesAround(link);
  const place = target.closest('li, p, div, dd, aside') ?? target;
  const back = [...(target.matches(BACK) ? [target] : []), ...place.querySelectorAll(BACK)].find((one) =>
    names.has(one.getAttribute('href')?.slice(1) ?? ''),
  );
  return back ? { target, back } : undefined;
}

/** The names by which a note leads back to a mark stand on its link or around it. */
function namesAround(link: Element): Set<string> {
  const elements = [link, link.parentElement, ...link.querySelectorAll('[id], [name]')];
  const names = elements.flatMap((element) => [element?.id, element?.getAttribute('name')]);
  return new Set(names.filter((name): name is string => Boolean(name)));
}

function blockOf(target: Element, body: HTMLElement): Element | null {
  const block = target.closest(
    'li, [style*="mso-element:footnote" i], [style*="mso-element:endnote" i], p, dd, aside, div',
  );
  if (!block || block === body) return null;
  // Google Docs has a `div` around the paragraph of each note.
  const around = block.parentElement;
  return block.matches('p') && around?.matches('div') && around !== body && around.childElementCount === 1
    ? around
    : block;
}

function removeBackLink(back: Element): void {
  const mark =
    back.parentElement?.matches('sup') && back.parentElement.childElementCount === 1
      ? back.parentElement
      : back;
  const { nextSibling } = mark;
  mark.remove();
  if (nextSibling?.nodeType === Node.TEXT_NODE)
    nextSibling.nodeValue = (nextSibling.nodeValue ?? '').replace(/^[\s\u00a0]+/, ' ');
}

function markElement(link: Element): Element {
  const around = link.closest('sup, .MsoFootnoteReference, .MsoEndnoteReference');
  return around && around.textContent?.trim() === link.textContent?.trim() ? around : link;
}

/** Removes the line above the notes, and what held them. */
function removeEmptyNotes(body: HTMLElement): void {
  for (const list of body.querySelectorAll(
    '[style*="mso-element:footnote-list" i], [style*="mso-element:endnote-list" i], section.footnotes, div.footnotes',
  )) {
    if (list.textContent?.trim() === '') list.remove();
  }
  for (const rule of body.querySelectorAll('hr')) {
    const next = rule.nextElementSibling;
    const isAbove =
      next?.matches('[data-footnote-definition]') ??
      body.contains(rule.closest('[data-footnote-definition]'));
    if (isAbove || (!next && body.querySelector('[data-footnote-definition]'))) rule.remove();
  }
}
