import { type FormEvent, useState } from 'react';
import { LANGUAGE_CODES, type Language } from '../../../../project/languages.ts';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Drawer } from '../../drawer.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { Term, TermChanges } from './terms-client.ts';

/** Characters of all words of a term in one language, and of its note. */
const MAX_WORDS = 200;
const MAX_NOTE = 2_000;

interface TermDrawerProps {
  /** `undefined` for a new one. */
  term: Term | undefined;
  busy: boolean;
  onSave(changes: TermChanges): void;
  onClose(): void;
}

/** Edits a term: its words in each language, or the one that stays as it is. */
export function TermDrawer({ term, busy, onSave, onClose }: TermDrawerProps) {
  const messages = useDeskMessages();
  const texts = messages.translations.terms;
  const { language: shown } = useLanguage();
  const [keep, setKeep] = useState(term?.keep ?? false);
  const [note, setNote] = useState(term?.note ?? '');
  const [isRefused, setIsRefused] = useState(false);
  const [typed, setTyped] = useState<Partial<Record<Language, string>>>(() =>
    Object.fromEntries(LANGUAGE_CODES.map((code) => [code, term?.words[code]?.join(', ') ?? ''])),
  );
  const [first = 'en'] = LANGUAGE_CODES.filter((code) => typed[code]?.trim());
  const given = LANGUAGE_CODES.filter((code) => typed[code]?.trim());
  const isEnough = keep ? given.length > 0 : given.length > 1;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEnough) return setIsRefused(true);
    const words = (code: Language) => (typed[code] ?? '').split(',').map((word) => word.trim());
    const all = (keep ? [first] : given).map((code) => [code, words(code).filter(Boolean)]);
    onSave({ words: Object.fromEntries(all), keep, note: note.trim() });
  };
  return (
    <Drawer title={term ? texts.edit : texts.add} onClose={onClose}>
      <form onSubmit={submit} className="grid gap-5">
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={keep}
            onChange={({ target }) => setKeep(target.checked)}
            className="size-4.5 shrink-0 accent-(--accent)"
          />
          {texts.keep}
        </label>
        {(keep ? [first] : LANGUAGE_CODES).map((code, place) => (
          <TextField
            key={code}
            label={keep ? texts.word : texts.wordsIn(languageName(code, shown))}
            hint={place === 0 && !keep ? texts.wordsHint : undefined}
            error={isRefused && !isEnough && place === 0 ? texts.tooFew(keep) : undefined}
            lang={keep ? undefined : code}
            limit={MAX_WORDS}
            value={typed[code] ?? ''}
            onChange={({ target }) => setTyped((before) => ({ ...before, [code]: target.value }))}
          />
        ))}
        <TextArea
          label={texts.note}
          hint={texts.noteHint}
          rows={2}
          limit={MAX_NOTE}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy}>
            {texts.save}
          </Button>
          <Button variant="outline" disabled={busy} onClick={onClose}>
            {messages.editor.cancel}
          </Button>
        </div>
      </form>
    </Drawer>
  );
}
