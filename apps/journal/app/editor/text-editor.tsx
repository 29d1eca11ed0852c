import { Suspense } from 'react';
import { loadLater } from '../ui/load-later.ts';
import type { TextEditorProps } from './text-editor-props.ts';

export type { FormattedText, TextFormat } from './document/text-document.ts';
export type { TextEditorHandle, TextEditorProps } from './text-editor-props.ts';

const EditorField = loadLater(async () => (await import('./view/editor-field.tsx')).EditorField);

/** Edits a text as its readers will see it. Its code loads with it. */
export function TextEditor(props: TextEditorProps) {
  return (
    <Suspense fallback={props.waiting ?? <WaitingField {...props} />}>
      <EditorField {...props} />
    </Suspense>
  );
}

/** Shows the text while the editor loads, in its place. */
function WaitingField({ label, value, lang }: TextEditorProps) {
  return (
    <div className="grid gap-1.5" aria-busy="true">
      <span className="text-sm font-medium text-ink">{label}</span>
      <div
        lang={lang}
        className="prose-text min-h-96 max-w-none rounded-xs border border-field bg-raised px-4 pt-20 pb-4"
      >
        {value}
      </div>
    </div>
  );
}
