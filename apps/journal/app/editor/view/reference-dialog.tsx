import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { formatVancouver } from '../../references/format-vancouver.ts';
import { type Source, sourceKey } from '../../references/source.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { schema } from '../document/schema.ts';
import { useEditorMessages } from '../load-editor-messages.ts';
import { numbersOf } from '../plugins/numbering.ts';
import { FormDialog, fieldOf } from './form-dialog.tsx';
import { SourceFields, sourceOf } from './source-fields.tsx';

export interface ReferenceDialogProps {
  view: EditorView;
  sources: readonly Source[];
  onSourcesChange: ((sources: Source[]) => void) | undefined;
  onFindSource: ((identifier: string) => Promise<Omit<Source, 'id'>>) | undefined;
  onClose(): void;
}

type Fault = 'invalid' | 'missing' | 'unreachable' | 'title';

/** Lists the references, finds new ones by their number, and cites them at the cursor. */
export function ReferenceDialog({
  view,
  sources,
  onSourcesChange,
  onFindSource,
  onClose,
}: ReferenceDialogProps) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const texts = m.reference;
  /** The source that is being written; without an id when it is new. */
  const [edited, setEdited] = useState<Partial<Source> | null>(null);
  const [fault, setFault] = useState<Fault>();
  const [isFinding, setFinding] = useState(false);
  const { references } = numbersOf(view.state.doc);
  const sorted = [...sources].sort(
    (one, other) => (references.get(one.id) ?? Infinity) - (references.get(other.id) ?? Infinity),
  );

  const cite = (key: string) => {
    const { tr, selection } = view.state;
    // Behind what is selected, which is what the reference proves.
    tr.insert(selection.to, schema.node('citation', { key }));
    view.dispatch(tr.scrollIntoView());
    onClose();
  };
  const add = (found: Omit<Source, 'id'>) => {
    const known = sources.find(({ DOI, PMID }) => isSame(DOI, found.DOI) || isSame(PMID, found.PMID));
    const source = known ?? { ...found, id: sourceKey(found, sources) };
    if (!known) onSourcesChange?.([...sources, source]);
    cite(source.id);
  };
  const find = async (identifier: string) => {
    if (!onFindSource) return;
    setFinding(true);
    setFault(undefined);
    try {
      add(await onFindSource(identifier));
    } catch (error) {
      setFault(faultOf(error));
    }
    setFinding(false);
  };
  const save = (fields: FormData) => {
    if (!edited) return void find(fieldOf(fields, 'identifier'));
    const written = sourceOf(fields, edited);
    if (!written.title) return setFault('title');
    setFault(undefined);
    if (edited.id === undefined) return add(written);
    const { id } = edited;
    onSourcesChange?.(sources.map((source) => (source.id === id ? { ...written, id } : source)));
    setEdited(null);
  };

  return (
    <FormDialog
      title={texts.title}
      save={edited ? m.save : onFindSource && (isFinding ? texts.finding : texts.find)}
      close={edited ? m.cancel : m.close}
      wide
      onSave={save}
      onClose={edited ? () => setEdited(null) : onClose}
    >
      {edited ? (
        <SourceFields source={edited} error={fault === 'title' ? texts.faults.title : undefined} />
      ) : (
        <>
          {onFindSource && (
            <TextField
              name="identifier"
              label={texts.identifier}
              hint={texts.identifierHint}
              error={fault && texts.faults[fault]}
              autoComplete="off"
              autoFocus
            />
          )}
          <Button variant="outline" size="small" className="justify-self-start" onClick={() => setEdited({})}>
            {texts.byHand}
          </Button>
          {sorted.length === 0 ? (
            <p className="text-sm text-muted">{texts.none}</p>
          ) : (
            <ul className="grid gap-4">
              {sorted.map((source) => (
                <li key={source.id} className="grid gap-1.5 border-t border-hairline pt-3 text-sm">
                  <p className="[overflow-wrap:anywhere]">
                    {references.has(source.id) ? `${references.get(source.id)}. ` : ''}
                    {formatVancouver(source, language)
                      .map(({ text }) => text)
                      .join('')}
                    {!references.has(source.id) && <em className="text-muted"> ({texts.uncited})</em>}
                  </p>
                  <p className="flex flex-wrap gap-2">
                    <Button size="small" onClick={() => cite(source.id)}>
                      {texts.cite}
                    </Button>
                    <Button size="small" variant="outline" onClick={() => setEdited(source)}>
                      {texts.edit}
                    </Button>
                    {!references.has(source.id) && (
                      <Button
                        size="small"
                        variant="quiet"
                        onClick={() => onSourcesChange?.(sources.filter(({ id }) => id !== source.id))}
                      >
                        {texts.remove}
                      </Button>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </FormDialog>
  );
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

/** Names what went wrong by the code of the server's response. */
function faultOf(error: unknown): Fault {
  const { code } = Object(error) as { code?: string };
  if (code === 'NOT_FOUND') return 'missing';
  return code === 'VALIDATION_FAILED' ? 'invalid' : 'unreachable';
}
