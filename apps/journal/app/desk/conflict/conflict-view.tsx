import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import type { DeskDocument } from '../document.ts';
import { fieldName } from '../field-name.ts';
import { useOpenParts, WordDifference } from '../history/word-difference.tsx';
import { type DocumentField, differingFields, isSame, mergeDocuments } from '../saving/merge-documents.ts';
import { useDeskMessages } from '../use-desk.ts';
import { fieldText, isText } from './field-names.ts';

interface ConflictViewProps {
  /** Says whose the other version is, and since when. */
  explanation: string;
  base: DeskDocument | undefined;
  mine: DeskDocument;
  theirs: DeskDocument;
  busy: boolean;
  onKeepMine(): void;
  onTakeTheirs(): void;
  /** Called with the document that was made of both. */
  onMerge(document: DeskDocument): void;
}

/**
 * Shows two versions of a post side by side with the words that differ. One of them is kept, or both are edited together: what
 * only one side changed is in already then.
 */
export function ConflictView({ explanation, base, mine, theirs, busy, ...choose }: ConflictViewProps) {
  const messages = useDeskMessages();
  const texts = messages.conflict;
  const [merged, setMerged] = useState<DeskDocument>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const fields = differingFields(mine, theirs);
  return (
    <section aria-labelledby="conflict" className="grid gap-8 pt-6">
      <header className="grid max-w-2xl gap-3">
        <h1
          id="conflict"
          ref={heading}
          tabIndex={-1}
          className="font-serif text-[2rem] leading-tight tracking-[-0.01em] outline-none"
        >
          {texts.title}
        </h1>
        <p role="alert" className="text-lg leading-relaxed text-muted">
          {explanation}
        </p>
      </header>
      <div inert={busy} className="grid border-t border-hairline">
        {fields.map((field) => (
          <FieldConflict
            key={field.path}
            field={field}
            mine={mine}
            theirs={theirs}
            merged={merged}
            onMerge={setMerged}
          />
        ))}
      </div>
      <div className="sticky bottom-0 z-20 flex flex-wrap justify-end gap-2 border-t border-hairline bg-paper py-3 sm:gap-3">
        {merged ? (
          <>
            <Button variant="quiet" size="small" disabled={busy} onClick={() => setMerged(undefined)}>
              {messages.editor.cancel}
            </Button>
            <Button size="small" busy={busy} onClick={() => choose.onMerge(merged)}>
              {busy ? texts.saving : texts.save}
            </Button>
          </>
        ) : (
          <>
            <Button variant="outline" size="small" disabled={busy} onClick={choose.onTakeTheirs}>
              {texts.takeTheirs}
            </Button>
            <Button
              variant="outline"
              size="small"
              disabled={busy}
              onClick={() => setMerged(mergeDocuments(base, mine, theirs))}
            >
              {texts.together}
            </Button>
            <Button size="small" busy={busy} onClick={choose.onKeepMine}>
              {texts.keepMine}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

interface FieldConflictProps {
  field: DocumentField;
  mine: DeskDocument;
  theirs: DeskDocument;
  /** The document that is made of both; `undefined` as long as they are only compared. */
  merged: DeskDocument | undefined;
  onMerge(document: DeskDocument): void;
}

function FieldConflict({ field, mine, theirs, merged, onMerge }: FieldConflictProps) {
  const messages = useDeskMessages();
  const texts = messages.conflict;
  const { language } = useLanguage();
  const openParts = useOpenParts();
  const name = fieldName(field, messages);
  const [own, other] = [mine, theirs].map((document) => fieldText(field, document, messages, language));
  const sides = [
    { label: texts.mine, document: mine, side: 'after' as const, text: own },
    { label: texts.theirs, document: theirs, side: 'before' as const, text: other },
  ];
  return (
    <section aria-label={name} className="grid gap-4 border-b border-hairline py-6">
      <h2 className="font-medium">{name}</h2>
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        {sides.map(({ label, document, side, text }) => (
          <div key={side} className="grid min-w-0 content-start gap-1.5">
            <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
              <h3 className="small-caps-label text-muted">{label}</h3>
              {merged && !isSame(field.read(merged), field.read(document)) && (
                <Button variant="quiet" size="small" onClick={() => onMerge(field.take(merged, document))}>
                  {texts.use}
                </Button>
              )}
            </div>
            {text ? (
              <WordDifference
                before={other ?? ''}
                after={own ?? ''}
                side={side}
                lang={isText(field) ? (document.language ?? undefined) : undefined}
                {...openParts}
              />
            ) : (
              <p className="text-muted">{texts.empty}</p>
            )}
          </div>
        ))}
      </div>
      {merged && isText(field) && (
        <TextArea
          label={texts.result(name)}
          value={String(field.read(merged) ?? '')}
          onChange={({ target }) => onMerge({ ...merged, [field.path]: target.value })}
          className="field-sizing-content max-h-[28rem] min-h-20 font-serif"
        />
      )}
    </section>
  );
}
