import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { type Source, sourceKey } from '../../../references/source.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { schema } from '../document/schema.ts';
import { useEditorMessages } from '../load-editor-messages.ts';
import { numbersOf } from '../plugins/numbering.ts';
import { FormDialog, fieldOf } from './form-dialog.tsx';
import { ReferenceList } from './reference-list.tsx';
import { SourceFields, sourceOf } from './source-fields.tsx';

interface ReferenceDialogProps {
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
          <ReferenceList
            sources={sources}
            numbers={numbersOf(view.state.doc).references}
            onCite={cite}
            onEdit={setEdited}
            onRemove={(id) => onSourcesChange?.(sources.filter((source) => source.id !== id))}
          />
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
