import { LRUCache } from 'lru-cache';
import type { CompileContext } from '../../../database/query/compile.ts';
import { type ListText, writeListText } from '../../../database/query/compile-list.ts';
import { signatureOf } from './cursor.ts';
import { parseForm, type QueryForm, type QueryParameters } from './parse.ts';

/** The parsed `select` and `order` of a read, and what is derived from them. */
export interface ListForm extends QueryForm {
  text: ListText;
  /** The signature of cursors in this order. */
  signature: string;
}

export type ListForms = (parameters: Pick<QueryParameters, 'select' | 'order'>) => ListForm;

const MAX_FORMS = 100;
/** Characters; caching longer ones would take more memory than it saves time. */
const MAX_KEY_LENGTH = 1_000;

/**
 * Returns a function that parses the form of a list and caches it: requests repeat few forms, with different filters.
 * It throws the errors of `parseForm`.
 */
export function createListForms(context: CompileContext): ListForms {
  const cache = new LRUCache<string, ListForm>({ max: MAX_FORMS });
  return (parameters) => {
    const { select = '', order = '' } = parameters;
    const key = `${select.length} ${select}${order}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const parsed = parseForm(parameters, context.table);
    const form = { ...parsed, text: writeListText(context, parsed), signature: signatureOf(parsed.order) };
    if (key.length <= MAX_KEY_LENGTH) cache.set(key, form);
    return form;
  };
}
