import { SOURCE_TYPES, type Source, type SourceName, yearOf } from '../../../references/source.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS, Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useEditorMessages } from '../load-editor-messages.ts';
import { fieldOf } from './form-dialog.tsx';

const PARTS = ['volume', 'issue', 'page'] as const;

/** The fields of a reference that is written or corrected by hand. */
export function SourceFields({ source, error }: { source: Partial<Source>; error: string | undefined }) {
  const { language } = useLanguage();
  const { fields: words, types, otherType } = useEditorMessages(language).reference;
  const { type = SOURCE_TYPES[0] } = source;
  return (
    <>
      <Field label={words.type}>
        {(ids) => (
          <select {...ids} name="type" defaultValue={type} className={`${CONTROL_CLASS} min-h-11`}>
            {SOURCE_TYPES.map((one) => (
              <option key={one} value={one}>
                {types[one]}
              </option>
            ))}
            {!SOURCE_TYPES.some((one) => one === type) && <option value={type}>{otherType}</option>}
          </select>
        )}
      </Field>
      <TextField name="title" label={words.title} error={error} defaultValue={source.title ?? ''} autoFocus />
      <TextArea
        name="authors"
        label={words.authors}
        hint={words.authorsHint}
        rows={3}
        defaultValue={(source.author ?? []).map(writeName).join('\n')}
      />
      <TextField
        name="container-title"
        label={words.container}
        defaultValue={source['container-title'] ?? ''}
      />
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <TextField
          name="year"
          label={words.year}
          inputMode="numeric"
          defaultValue={String(yearOf(source) ?? '')}
        />
        {PARTS.map((part) => (
          <TextField key={part} name={part} label={words[part]} defaultValue={source[part] ?? ''} />
        ))}
      </div>
      <TextField name="publisher" label={words.publisher} defaultValue={source.publisher ?? ''} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="DOI" label={words.doi} defaultValue={source.DOI ?? ''} />
        <TextField name="PMID" label={words.pmid} defaultValue={source.PMID ?? ''} />
      </div>
      <TextField name="URL" label={words.url} inputMode="url" defaultValue={source.URL ?? ''} />
    </>
  );
}

/** Returns the reference that the fields describe; what they do not show stays as it was. */
export function sourceOf(fields: FormData, before: Partial<Source>): Omit<Source, 'id'> {
  const year = Number(fieldOf(fields, 'year'));
  const author = fieldOf(fields, 'authors')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => before.author?.find((name) => writeName(name).trim() === line) ?? readName(line));
  const { author: _, issued, id: __, ...rest } = before;
  const texts = ['container-title', ...PARTS, 'publisher', 'DOI', 'PMID', 'URL'] as const;
  const written = Object.fromEntries(texts.map((name) => [name, fieldOf(fields, name) || undefined]));
  const date = year === yearOf({ ...(issued && { issued }) }) ? issued : { 'date-parts': [[year]] };
  const source = {
    ...rest,
    ...written,
    type: fieldOf(fields, 'type'),
    title: fieldOf(fields, 'title'),
    ...(author.length > 0 && { author }),
    ...(Number.isInteger(year) && year > 0 && { issued: date }),
  };
  // A field that was emptied is left out.
  return JSON.parse(JSON.stringify(source)) as Omit<Source, 'id'>;
}

function writeName({ family, given, literal }: SourceName): string {
  return literal ?? [family, given].filter(Boolean).join(', ');
}

function readName(line: string): SourceName {
  const [family = '', ...given] = line.split(',').map((part) => part.trim());
  return given.length === 0 ? { literal: family } : { family, given: given.join(' ') };
}
