import { createContext, createElement, type ReactNode, use } from 'react';

/** Keeps the markup of what pages have in common while they are rendered on the server (see `rendering/markup-keeper.ts`). */
export interface KeptMarkup {
  /**
   * The name of the element that stands for a part, or around one that is not known yet. It is random, so that no text of a page holds
   * it: it separates the texts of a part in the element's `title`.
   */
  readonly tag: string;
  /** Returns the number of a part, and whether its markup is known. */
  find(key: string): { number: number; isKnown: boolean };
  /** Puts markup of the page that is rendered now into such a part of its head, and texts that need not be escaped. */
  write(number: number, texts: readonly string[]): void;
}

export const KeptMarkupContext = createContext<KeptMarkup | null>(null);

export interface KeptProps {
  name: string;
  /** All that the part depends on but its texts; undefined for one that is rendered anew. */
  cacheKey: readonly unknown[] | undefined;
  /** Texts of it that differ from page to page, none of them empty where it is kept. They are given to `children`, which may only put them into texts and attributes as they are. */
  texts?: readonly string[];
  /** Whether React moves some of it into the head of the page. */
  isHoisted?: boolean;
  children: ReactNode | ((...texts: string[]) => ReactNode);
}

/** Shows its children, which the server renders once for all pages on which it depends on the same. */
export function Kept({ name, cacheKey, texts = [], isHoisted = false, children }: KeptProps): ReactNode {
  const kept = use(KeptMarkupContext);
  const show = (...shown: string[]) => (typeof children === 'function' ? children(...shown) : children);
  if (!kept || !cacheKey) return show(...texts);
  const { tag } = kept;
  const { number, isKnown } = kept.find(`${name} ${JSON.stringify(cacheKey)}`);
  const attributes = { id: number, ...(texts.length > 0 && { title: texts.join(tag) }) };
  const content = isKnown ? null : show(...texts.map((_, place) => placeholderOf(tag, place)));
  const element = createElement(tag, attributes, content);
  if (!isHoisted) return element;
  return (
    <>
      <meta name={`${tag}-${number}`} />
      {element}
      {!isKnown && <meta name={`${tag}-end`} />}
    </>
  );
}

export interface KeptHeadProps {
  name: string;
  /** All that the tags depend on but the markup in their midst. */
  cacheKey: readonly unknown[];
  /** Markup in their midst that the server has written for this page. */
  written: string | undefined;
  nonce: string | undefined;
  /** Is given the element that stands for that markup, undefined where there is none, and what stands for the nonce. */
  children(written: ReactNode, nonce: string | undefined): ReactNode;
}

/** Shows tags that React moves into the head, and that the server renders once likewise. */
export function KeptHead({ name, cacheKey, written, nonce, children }: KeptHeadProps): ReactNode {
  const kept = use(KeptMarkupContext);
  if (!kept || written === undefined || !nonce) return children(undefined, nonce);
  const { tag } = kept;
  const { number, isKnown } = kept.find(`${name} ${JSON.stringify(cacheKey)}`);
  kept.write(number, [written, nonce]);
  return (
    <>
      <meta name={`${tag}-${number}`} />
      {!isKnown && children(<meta name={`${tag}-written`} />, placeholderOf(tag, 1))}
      {!isKnown && <meta name={`${tag}-end`} />}
    </>
  );
}

/** Returns what stands in the place of a text while a part is rendered that is to be kept. */
export function placeholderOf(tag: string, place: number): string {
  return `${tag}.${place}.`;
}
