/** Returns the `style` attribute as it was written, with what browsers do not know. */
export function styleOf(element: Element): string {
  return element.getAttribute('style') ?? '';
}

/** Replaces an element by one of another kind, with the same content. */
export function rename(element: Element, tag: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(tag);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

export function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}
