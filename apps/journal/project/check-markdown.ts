import type { FieldFault, Table } from '@fabrica/backend';
import type { DocumentFault } from './document-limits.ts';
import type { ParseMarkdown } from './markdown/parse-tree.ts';

const TEXT = /^content(?:_(?:en|es|fr|de))?$/;

/** Returns the fault of each of the texts, by the name of its field, that is too complex to be read as Markdown. */
export async function findTooComplex(
  parse: ParseMarkdown,
  texts: readonly (readonly [field: string, text: string])[],
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  const kind: DocumentFault = 'too-complex';
  for (const [field, text] of texts) {
    if (await parse(text.trim(), { once: true })) continue;
    faults.push({
      field,
      message: 'is too complex to be read as Markdown: please write it more simply',
      kind,
    });
  }
  return faults;
}

/** Returns the check of the table of posts, whose texts are Markdown where `content_format` says so. */
export function checkMarkdown(parse: ParseMarkdown): NonNullable<Table['check']> {
  return async (row, stored) => {
    const textsOf = (one: typeof row) =>
      Object.entries(one).flatMap(([name, text]) =>
        TEXT.test(name) && typeof text === 'string' ? [[name, text] as const] : [],
      );
    const { content_format: format } = row;
    const texts = textsOf(row);
    if (format === 'plain' || (format === undefined && texts.length === 0)) return [];
    const rows = await stored();
    const isStored = rows.some((one) => one.content_format === 'markdown');
    if (!(format === undefined ? isStored : format === 'markdown')) return [];
    return findTooComplex(parse, [
      ...texts,
      // What was plain is read as Markdown from now on.
      ...(format === undefined ? [] : rows.flatMap((one) => textsOf({ ...one, ...row }))),
    ]);
  };
}
