import { useState } from 'react';
import type { ChangeAnnouncement } from '../../../project/dated-changes.ts';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import type { DeskPost } from '../desk-client.ts';
import { useDeskMessages } from '../use-desk.ts';

/** Tells whether readers would see other words after a publication than they had, which dates the change. */
export function hasNewWords({ publishedDocument }: DeskPost, document: DeskPost['document']): boolean {
  if (!publishedDocument) return false;
  return (['title', 'content'] as const).some(
    (part) => document[part].trim() !== publishedDocument[part].trim(),
  );
}

interface ChangeNoteProps {
  announcement: ChangeAnnouncement;
  onChange(announcement: ChangeAnnouncement): void;
}

/** Asks what readers are told about the words that a publication changes: its date with a sentence, or nothing. */
export function ChangeNote({ announcement: { small = false, note }, onChange }: ChangeNoteProps) {
  const texts = useDeskMessages().editor.change;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm sm:gap-x-6">
      <label className="flex min-h-(--target) cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={small}
          onChange={({ target }) => onChange({ small: target.checked, note })}
          className="size-4.5 accent-(--accent)"
        />
        {texts.small}
      </label>
      {!small && !isOpen && (
        <Button variant="quiet" size="small" className="-mx-3" onClick={() => setOpen(true)}>
          {texts.add}
        </Button>
      )}
      {!small && isOpen && (
        <div className="w-full max-w-[42rem] pb-2">
          <TextArea
            autoFocus
            rows={1}
            label={texts.note}
            limit={DOCUMENT_LIMITS.changeNote}
            value={note ?? ''}
            onChange={({ target }) => onChange({ small, note: target.value.replace(/\s*[\r\n]+\s*/g, ' ') })}
            className="field-sizing-content min-h-11 resize-none"
          />
        </div>
      )}
    </div>
  );
}
