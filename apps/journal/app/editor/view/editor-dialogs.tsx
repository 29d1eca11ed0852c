import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { isStoredPicture } from '../../../project/markdown/directives.ts';
import type { Source } from '../../../references/source.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { isLinkTarget } from '../../markdown/links.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { SHORTCUTS } from '../commands/keymap.ts';
import { useEditorMessages } from '../load-editor-messages.ts';
import type { TextEditorProps } from '../text-editor-props.ts';
import { figureAt, linkRange, removeFigure, setLink } from './actions.ts';
import { FormDialog, fieldOf } from './form-dialog.tsx';
import { ReferenceDialog } from './reference-dialog.tsx';
import { shortcutOf } from './shortcuts.ts';

export interface EditorDialog {
  name: 'link' | 'figure' | 'reference' | 'help';
}

interface EditorDialogsProps {
  dialog: EditorDialog;
  view: EditorView;
  sources: readonly Source[];
  onSourcesChange: ((sources: Source[]) => void) | undefined;
  onFindSource: ((identifier: string) => Promise<Omit<Source, 'id'>>) | undefined;
  offerDescription: TextEditorProps['offerDescription'];
  onClose(): void;
}

/** Shows the dialog that was asked for, outside of the form that the editor may stand in. */
export function EditorDialogs({
  dialog: { name },
  view,
  offerDescription,
  onClose,
  ...references
}: EditorDialogsProps) {
  const shown =
    name === 'link' ? (
      <LinkDialog view={view} onClose={onClose} />
    ) : name === 'figure' ? (
      <FigureDialog view={view} offerDescription={offerDescription} onClose={onClose} />
    ) : name === 'reference' ? (
      <ReferenceDialog view={view} onClose={onClose} {...references} />
    ) : (
      <HelpDialog onClose={onClose} />
    );
  return createPortal(shown, document.body);
}

interface DialogProps {
  view: EditorView;
  onClose(): void;
}

function LinkDialog({ view, onClose }: DialogProps) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const { state } = view;
  const range = linkRange(state);
  const { from, to } = state.selection;
  const [invalid, setInvalid] = useState(false);
  const apply = (href: string, words: string) => {
    setLink(href, words)(view.state, view.dispatch, view);
    onClose();
  };
  return (
    <FormDialog
      title={m.link.title}
      save={m.save}
      close={m.cancel}
      onClose={onClose}
      onSave={(fields) => {
        const href = urlOf(fieldOf(fields, 'href'));
        if (href === null) return setInvalid(true);
        apply(href, fieldOf(fields, 'words'));
      }}
    >
      <TextField
        name="href"
        label={m.link.address}
        hint={m.link.addressHint}
        error={invalid ? m.link.invalid : undefined}
        defaultValue={range?.href ?? ''}
        inputMode="url"
        autoComplete="off"
        autoFocus
      />
      <TextField
        name="words"
        label={m.link.words}
        defaultValue={range?.words ?? state.doc.textBetween(from, to, ' ')}
        autoComplete="off"
      />
      {range && (
        <Button variant="quiet" className="justify-self-start" onClick={() => apply('', '')}>
          {m.link.remove}
        </Button>
      )}
    </FormDialog>
  );
}

/** Returns the address that was meant, or `null` for what is none. */
function urlOf(typed: string): string | null {
  if (typed === '' || /\s/.test(typed)) return null;
  if (isLinkTarget(typed)) return typed;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(typed)) return `mailto:${typed}`;
  if (/^10\.\d{4,9}\//.test(typed)) return `https://doi.org/${typed}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(typed) ? `https://${typed}` : null;
}

function FigureDialog({
  view,
  offerDescription,
  onClose,
}: DialogProps & Pick<EditorDialogsProps, 'offerDescription'>) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const figure = figureAt(view.state);
  const [alt, setAlt] = useState<string>(figure?.node.attrs.alt ?? '');
  if (!figure) return null;
  const { node, pos } = figure;
  const save = (fields: FormData) => {
    const words = {
      alt: fieldOf(fields, 'alt'),
      credit: fieldOf(fields, 'credit'),
      licence: fieldOf(fields, 'licence'),
    };
    view.dispatch(view.state.tr.setNodeMarkup(pos, null, { ...node.attrs, ...words }));
    onClose();
  };
  const remove = () => {
    removeFigure(view.state, view.dispatch, view);
    onClose();
  };
  const { src, credit, licence } = node.attrs;
  return (
    <FormDialog title={m.picture.title} save={m.save} close={m.cancel} onClose={onClose} onSave={save}>
      <TextField
        name="alt"
        label={m.picture.alt}
        hint={m.picture.altHint}
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
        autoFocus
      />
      {isStoredPicture(src) && offerDescription?.({ url: src, onUse: setAlt })}
      <TextField name="credit" label={m.picture.credit} hint={m.picture.creditHint} defaultValue={credit} />
      <TextField
        name="licence"
        label={m.picture.licence}
        hint={m.picture.licenceHint}
        defaultValue={licence}
      />
      <Button variant="quiet" className="justify-self-start" onClick={remove}>
        {m.picture.remove}
      </Button>
    </FormDialog>
  );
}

function HelpDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { language } = useLanguage();
  const m = useEditorMessages(language);
  const names: Record<string, unknown> = { ...m, ...m.actions };
  const listed = Object.entries(SHORTCUTS).flatMap(([name, keys]) => {
    const words = names[name];
    return typeof words === 'string' ? [{ words, keys: shortcutOf(keys) }] : [];
  });
  return (
    <FormDialog title={m.help} close={m.close} onClose={onClose}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-sm">
        {[{ words: m.placeholder, keys: '/' }, ...listed].map(({ words, keys }) => (
          <div key={keys} className="contents">
            <dt>{words}</dt>
            <dd className="font-mono">{keys}</dd>
          </div>
        ))}
      </dl>
    </FormDialog>
  );
}
