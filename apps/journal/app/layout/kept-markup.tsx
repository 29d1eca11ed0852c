import { createContext, createElement, type ReactNode, use } from 'react';

/** Keeps the markup of what pages have in common while they are rendered on the server (see `markup-keeper.ts`). */
export interface KeptMarkup {
  /** The name of the element that stands for a part, or around one that is not known yet. */
  readonly tag: string;
  /** Returns the number of a part, and whether its markup is known. */
  find(key: string): { number: number; isKnown: boolean };
}

export const KeptMarkupContext = createContext<KeptMarkup | null>(null);

export interface KeptProps {
  name: string;
  /** All that the part depends on; undefined for one that is rendered anew. */
  by: readonly unknown[] | undefined;
  children: ReactNode;
}

/** Shows its children, which the server renders once for all pages on which it depends on the same. */
export function Kept({ name, by, children }: KeptProps): ReactNode {
  const kept = use(KeptMarkupContext);
  if (!kept || !by) return children;
  const { number, isKnown } = kept.find(`${name} ${JSON.stringify(by)}`);
  return createElement(kept.tag, { id: number }, isKnown ? null : children);
}
