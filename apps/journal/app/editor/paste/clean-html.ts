import { isLinkTarget } from '../../markdown/links.ts';
import { rename, styleOf, unwrap } from './elements.ts';
import { applyStyleSheet, keepMeaning, noLosses, type PasteLosses, takeEquations } from './keep-meaning.ts';
import { markFootnotes } from './pasted-footnotes.ts';
import { nestLists } from './pasted-lists.ts';
import { straightenTables } from './pasted-tables.ts';

/** Matches what a program adds for itself, beside the text. */
const RUBBISH = [
  'script, style, meta, link, title, template, noscript, object, embed, iframe, svg, button, input, select, textarea, nav',
  '[style*="mso-element:comment" i], [style*="mso-element:header" i], [style*="mso-element:footer" i]',
  '.MsoCommentReference, a[href^="#_msocom"], .Apple-interchange-newline',
].join(', ');

/** Word's names of paragraphs, in all languages of Word. */
const WORD_STYLES: readonly [selector: string, tag: string][] = [
  ['p.MsoTitle', 'h1'],
  ['p.MsoSubtitle', 'h2'],
  ['p.MsoQuote, p.MsoIntenseQuote', 'blockquote'],
];

const BLOCKS =
  'p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, table, tbody, tr, th, td, blockquote, pre, hr, section, article, figure, aside, dl, dt, dd';

/**
 * Cleans what another program has put on the clipboard, in place: its structure stays, its looks and its rubbish go. `css` is
 * its style sheet. Returns what its reader saw and the text has not.
 */
export function cleanHtml({ body }: Document, css: string): PasteLosses {
  const losses = noLosses();
  applyStyleSheet(body, css);
  takeEquations(body, losses.equations);
  removeComments(body);
  markFootnotes(body);
  for (const element of body.querySelectorAll(RUBBISH)) element.remove();
  keepMeaning(body, losses);
  for (const [selector, tag] of WORD_STYLES) {
    for (const element of body.querySelectorAll(selector)) rename(element, tag);
  }
  for (const element of body.querySelectorAll('p[style*="mso-outline-level" i]')) {
    const [, level] = /mso-outline-level:\s*([1-6])/i.exec(styleOf(element)) ?? [];
    if (level) rename(element, `h${level}`);
  }
  nestLists(body);
  unwrapNamespaced(body);
  straightenTables(body);
  for (const element of body.querySelectorAll('figcaption, dt, dd')) {
    if (!element.closest('figure[data-src]')) rename(element, 'p');
  }
  replaceImages(body, losses.pictures);
  cleanLinks(body);
  for (const bold of body.querySelectorAll(':is(h1, h2, h3, h4, h5, h6) :is(b, strong)')) unwrap(bold);
  for (const span of body.querySelectorAll<HTMLElement>(':is(h1, h2, h3, h4, h5, h6) span')) {
    span.style.removeProperty('font-weight');
  }
  narrowSpace(body);
  removeEmpty(body);
  trimBlocks(body);
  return losses;
}

function removeComments(root: HTMLElement): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/** Word's own elements, as `o:p` and `st1:place`, hold text; `v:shape` holds what only Word can draw. */
function unwrapNamespaced(root: HTMLElement): void {
  for (const element of [...root.querySelectorAll('*')]) {
    if (!element.tagName.includes(':')) continue;
    if (element.tagName.toLowerCase().startsWith('v:')) element.remove();
    else unwrap(element);
  }
}

/** A picture of another site becomes a link to it, as readers see it; one of the other computer cannot be had, and is named. */
function replaceImages(root: HTMLElement, lost: string[]): void {
  for (const image of root.querySelectorAll('img')) {
    if (image.closest('figure[data-src]')) continue;
    const src = image.getAttribute('src') ?? '';
    const alt = (image.getAttribute('alt') ?? '').trim();
    const isSpacer = [image.getAttribute('width'), image.getAttribute('height')].some(
      (size) => size !== null && Number.parseFloat(size) <= 2,
    );
    const isElsewhere = /^https?:\/\//i.test(src);
    if (isSpacer || !isElsewhere || image.closest('a')) {
      if (!isSpacer && !isElsewhere) lost.push(alt || fileNameOf(src));
      image.replaceWith(isSpacer ? '' : alt);
      continue;
    }
    const link = root.ownerDocument.createElement('a');
    link.href = src;
    link.textContent = alt || src;
    image.replaceWith(link);
  }
}

/** Returns the name at the end of an address; a picture in the address itself has none. */
function fileNameOf(src: string): string {
  const [name = ''] = /^(?:data|blob):/i.test(src) ? [] : (/[^/\\]*$/.exec(src) ?? []);
  return name || '…';
}

function cleanLinks(root: HTMLElement): void {
  for (const link of root.querySelectorAll('a')) {
    const href = targetOf(link.getAttribute('href') ?? '');
    if (isLinkTarget(href) && !href.startsWith('#')) link.setAttribute('href', href);
    else unwrap(link);
  }
}

/** Google Docs leads its links through a page of its own. */
function targetOf(href: string): string {
  const url = URL.parse(href.trim());
  const isRedirect = url?.hostname === 'www.google.com' && url.pathname === '/url';
  return (isRedirect && url.searchParams.get('q')) || href.trim();
}

/** Word fills lines with spaces that do not break; a single one between a number and its unit stays. */
function narrowSpace(root: HTMLElement): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    if (currentNode.parentElement?.closest('pre')) continue;
    const text = currentNode.nodeValue ?? '';
    currentNode.nodeValue = text.replaceAll(/[ \t\r\n\u00a0]{2,}/g, ' ').replaceAll('\u00ad', '');
  }
}

/** Space at the ends of a block, and between blocks, says nothing. */
function trimBlocks(root: HTMLElement): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement?.closest('pre')) continue;
    let value = text.nodeValue ?? '';
    if (isAtEdge(text, 'previousSibling', root)) value = value.replace(/^[\s\u00a0]+/, '');
    if (isAtEdge(text, 'nextSibling', root)) value = value.replace(/[\s\u00a0]+$/, '');
    text.nodeValue = value;
    if (value === '') text.parentNode?.removeChild(text);
  }
}

/** Returns whether nothing stands between a text and the end of its block on one side. */
function isAtEdge(text: Node, side: 'previousSibling' | 'nextSibling', root: HTMLElement): boolean {
  for (let node: Node | null = text; node && node !== root; node = node.parentNode) {
    let sibling: Node | null = node[side];
    while (sibling && sibling.nodeType === Node.TEXT_NODE && sibling.nodeValue?.trim() === '')
      sibling = sibling[side];
    if (sibling) return isBlock(sibling);
    if (node.parentNode && isBlock(node.parentNode)) return true;
  }
  return true;
}

function removeEmpty(root: HTMLElement): void {
  for (const line of [...root.querySelectorAll('br')]) {
    const isAtEnd = !line.nextSibling || isBlock(line.nextSibling);
    const isBetween = !line.previousSibling || isBlock(line.previousSibling);
    if (isAtEnd || isBetween) line.remove();
  }
  const kept = 'img, hr, br, table, [data-footnote], [data-cite], [data-src]';
  for (const element of [...root.querySelectorAll('p, h1, h2, h3, h4, h5, h6, li, blockquote')].reverse()) {
    if (element.textContent?.trim() === '' && !element.querySelector(kept)) element.remove();
  }
  for (const list of root.querySelectorAll('ul, ol')) if (list.childElementCount === 0) list.remove();
}

function isBlock(node: Node): boolean {
  return node instanceof Element && node.matches(BLOCKS);
}
