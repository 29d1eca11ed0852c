import { readSigns, shiftedText, symbolFont } from '@fabrica/contract/signs';
import { rename, styleOf } from './elements.ts';

/** What was copied and is not in the text, by why it is not. */
export interface PasteLosses {
  struck: string[];
  hidden: string[];
  /** Letters of fonts that show signs in their place, where it is not known which: `x (MT Extra)`. */
  signs: string[];
  equations: string[];
  /** Pictures that are on the other computer, or in the clipboard alone, by their words or the names of their files. */
  pictures: string[];
}

export function noLosses(): PasteLosses {
  return { struck: [], hidden: [], signs: [], equations: [], pictures: [] };
}

const STRUCK_ELEMENTS = 's, strike, del';
/** Equations of Word and of pages; what stands beside the formula within these shows the same once more. */
const EQUATIONS = '.katex, .MathJax, mjx-container, .mwe-math-element, math, m\\:omath';
/** Word's equations stand in comments for other programs, above their pictures. */
const COMMENTED_EQUATION = /<m:oMath[\s>].*?<\/m:oMath>|<o:OLEObject[^>]*ProgID="Equation[^>]*>/gis;

/** These properties change what words say, also where a style sheet sets them. */
const MEANINGFUL = ['font-family', 'text-decoration-line', 'display', 'vertical-align'];

/**
 * Keeps what letters mean, in place, before their looks go: letters of fonts such as Symbol become the signs that they show,
 * raised letters become superscripts. Takes out the words that were taken back, and adds what it takes to `losses`.
 */
export function keepMeaning(body: HTMLElement, losses: PasteLosses): void {
  takeWords(body, losses);
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) raise(element);
  // Code has no superscripts.
  for (const shifted of body.querySelectorAll(':is(pre, code) :is(sup, sub)')) {
    const kind = shifted.tagName === 'SUP' ? 'sup' : 'sub';
    shifted.replaceWith(shiftedText(shifted.textContent ?? '', kind));
  }
  body.normalize();
}

/** Writes what a style sheet says into the elements, before their own styles. */
export function applyStyleSheet(body: HTMLElement, css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  for (const rule of [...sheet.cssRules].reverse()) {
    if (!(rule instanceof CSSStyleRule)) continue;
    const set = MEANINGFUL.map((name) => [name, rule.style.getPropertyValue(name)]).filter(
      ([, value]) => value,
    );
    if (set.length === 0) continue;
    const styles = set.map(([name, value]) => `${name}:${value}`).join(';');
    for (const element of body.querySelectorAll(rule.selectorText)) {
      element.setAttribute('style', `${styles};${styleOf(element)}`);
    }
  }
}

/** Takes equations out, which a text cannot hold. */
export function takeEquations(body: HTMLElement, equations: string[]): void {
  const comments = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const found = comments.currentNode.nodeValue?.match(COMMENTED_EQUATION) ?? [];
    for (const equation of found) addWords(equations, equation.replaceAll(/<[^>]*>/g, '') || '…');
    // Their pictures stand between comments, for programs that cannot show them.
    if (comments.currentNode.nodeValue !== '[if !msEquation]') continue;
    for (let next = comments.currentNode.nextSibling; next && next.nodeType !== Node.COMMENT_NODE; ) {
      const picture = next;
      next = next.nextSibling;
      picture.parentNode?.removeChild(picture);
    }
  }
  for (const element of body.querySelectorAll(EQUATIONS)) {
    if (!body.contains(element)) continue;
    const source = element.querySelector('annotation[encoding="application/x-tex"]') ?? element;
    addWords(equations, source.textContent || '…');
    element.remove();
  }
}

function takeWords(body: HTMLElement, losses: PasteLosses): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const removed: Element[] = [];
  const isWithin = (last: Element | undefined, node: Node) => last?.contains(node) ?? false;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (isWithin(removed.at(-1), node)) continue;
    if (node instanceof HTMLElement) {
      const lost = isHidden(node) ? losses.hidden : isStruck(node) ? losses.struck : undefined;
      if (!lost) continue;
      addWords(lost, node.textContent ?? '');
      removed.push(node);
    } else if (!node.parentElement?.closest('[style*="mso-list:Ignore" i]')) {
      const font = fontOf(node.parentElement);
      if (!font) continue;
      node.nodeValue = readSigns(node.nodeValue ?? '', font, (letter) => {
        addWords(losses.signs, `${letter} (${font})`);
        return '';
      });
    }
  }
  for (const element of removed) element.remove();
}

function addWords(list: string[], text: string): void {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  if (words !== '' && !list.includes(words)) list.push(words);
}

function isHidden(element: HTMLElement): boolean {
  return (
    element.hasAttribute('hidden') ||
    element.style.display === 'none' ||
    /mso-hide:\s*all/i.test(styleOf(element))
  );
}

function isStruck(element: HTMLElement): boolean {
  const line = element.style.textDecorationLine;
  if (/line-through/.test(line) || /text-line-through:\s*(?!none)/i.test(styleOf(element))) return true;
  return element.matches(STRUCK_ELEMENTS) && line !== 'none';
}

/** Returns the font of signs that the nearest element with a font names. */
function fontOf(element: Element | null): string | undefined {
  const named = element?.closest<HTMLElement>('[style*="font" i], font[face]');
  if (!named) return undefined;
  const families = named.style.fontFamily || named.getAttribute('face');
  return families ? symbolFont(families) : fontOf(named.parentElement);
}

/** Letters that are raised or lowered by a length are superscripts and subscripts, too. */
function raise(element: HTMLElement): void {
  const [, byWord] = /mso-text-raise:\s*(-?[\d.]+pt)/i.exec(styleOf(element)) ?? [];
  const [, shift, unit] = /^(-?[\d.]+)(em|%|p[tx])$/.exec(byWord ?? element.style.verticalAlign) ?? [];
  const least = unit === 'em' ? 0.2 : unit === '%' ? 15 : 2;
  if (!shift || Math.abs(Number(shift)) < least || !element.matches('span, font')) return;
  if (element.closest('sup, sub') || element.querySelector('sup, sub')) return;
  rename(element, shift.startsWith('-') ? 'sub' : 'sup');
}
