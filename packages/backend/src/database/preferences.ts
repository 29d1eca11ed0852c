import type { HonoRequest } from 'hono';

/** How a request wants to be answered: its `Prefer` and `Accept` headers. */
export interface Preferences {
  countExact: boolean;
  /** The rows that were written, rather than nothing. */
  representation: boolean;
  /** Rows that are there already stay as they are. */
  ignoreDuplicates: boolean;
  /** Rows that are there already are changed, as they are whenever `on_conflict` is given. */
  mergeDuplicates: boolean;
  /** One object in place of an array. */
  singular: boolean;
}

export const SINGULAR_TYPE = 'application/vnd.pgrst.object+json';

/** Preferences that we do not know are passed over (RFC 7240); some clients part them with spaces. */
export function parsePreferences(request: HonoRequest): Preferences {
  const prefer = request.header('prefer');
  const asked = prefer === undefined ? [] : prefer.split(/[\s,;]+/);
  return {
    countExact: asked.includes('count=exact'),
    representation: asked.includes('return=representation'),
    ignoreDuplicates: asked.includes('resolution=ignore-duplicates'),
    mergeDuplicates: asked.includes('resolution=merge-duplicates'),
    singular: request.header('accept')?.includes(SINGULAR_TYPE) ?? false,
  };
}
