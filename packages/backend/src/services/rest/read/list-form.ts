import { type CompileContext, type ListText, writeListText } from '../../../database/query/compile.ts';
import { signatureOf } from './cursor.ts';
import { parseForm, type QueryForm, type QueryParameters } from './parse.ts';

/** What a read's `select` and `order` come to. */
export interface ListForm extends QueryForm {
  text: ListText;
  /** Of cursors. */
  signature: string;
}

export type ListForms = (parameters: Pick<QueryParameters, 'select' | 'order'>) => ListForm;

const FORMS_REMEMBERED = 100;
/** A memory of longer ones would take more room than they take time. */
const LONGEST_REMEMBERED = 1_000;

/**
 * Forms of lists of one table: requests ask for the same few again and again, with other filters each time. Throws
 * what `parseForm` throws.
 */
export function createListForms(context: CompileContext): ListForms {
  const known = new Map<string, ListForm>();
  return (parameters) => {
    const { select = '', order = '' } = parameters;
    const key = `${select.length} ${select}${order}`;
    const remembered = known.get(key);
    if (remembered) return remembered;
    const form = parseForm(parameters, context.table);
    const made = { ...form, text: writeListText(context, form), signature: signatureOf(form.order) };
    if (key.length <= LONGEST_REMEMBERED) {
      if (known.size >= FORMS_REMEMBERED) known.clear();
      known.set(key, made);
    }
    return made;
  };
}
