import { useState } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { Button } from '../../../ui/button.tsx';
import { CONTROL_CLASS, Field } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { detailOf } from '../../desk-requests.ts';
import { Drawer } from '../../drawer.tsx';
import { WordDifference } from '../../history/word-difference.tsx';
import { deskNoticeText, showFailure } from '../../notices.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';

interface ReplaceDrawerProps {
  name: TranslationName;
  segments: readonly TranslatedSegment[];
  /** The words that were searched for. */
  search: string;
  /** Called with a segment as the server has it after it was changed, by whomever. */
  onSegment(segment: TranslatedSegment): void;
  onClose(): void;
}

/** Replaces words in the segments of a translation, once a person has seen what becomes of each of them. */
export function ReplaceDrawer({ name, segments, search, onSegment, onClose }: ReplaceDrawerProps) {
  const texts = useDeskMessages().translations.find;
  const client = useTranslations();
  const [from, setFrom] = useState(search);
  const [to, setTo] = useState('');
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const { busy, run } = useBusy(showFailure);
  const all = from === '' ? [] : segments.filter(({ text }) => text.includes(from));
  // Whoever replaces a word has not looked at what else was found there, or at an original that has changed.
  const found = all.filter(({ blocked, state }) => !blocked && state !== 'outdated');
  const chosen = found.filter(({ id }) => !skipped.has(id));
  const skip = (id: string, isSkipped: boolean) =>
    setSkipped((before) => new Set(isSkipped ? [...before, id] : [...before].filter((one) => one !== id)));

  const replace = async () => {
    const counts = { done: 0, left: 0 };
    for (const { id, version, text } of chosen) {
      try {
        onSegment(await client.save(name, { id, version, text: text.replaceAll(from, to) }));
        counts.done += 1;
      } catch (error) {
        const current = detailOf<TranslatedSegment>(error, 'current');
        if (!current) throw error;
        onSegment(current);
        counts.left += 1;
      }
    }
    toast.success(
      deskNoticeText(({ translations }) => translations.find.done(counts.done)),
      counts.left > 0
        ? { description: deskNoticeText(({ translations }) => translations.find.left(counts.left)) }
        : {},
    );
    onClose();
  };
  return (
    <Drawer title={texts.title} onClose={onClose}>
      <form
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0) void run('replace', replace);
        }}
      >
        <Field label={texts.from} hint={texts.fromHint}>
          {(ids) => (
            <input
              {...ids}
              lang={name.language}
              value={from}
              onChange={({ target }) => setFrom(target.value)}
              className={CONTROL_CLASS}
            />
          )}
        </Field>
        <Field label={texts.to}>
          {(ids) => (
            <input
              {...ids}
              lang={name.language}
              value={to}
              onChange={({ target }) => setTo(target.value)}
              className={CONTROL_CLASS}
            />
          )}
        </Field>
        {from !== '' && all.length === 0 && <p className="text-muted">{texts.none}</p>}
        {all.length > found.length && (
          <p className="text-muted">{texts.heldBack(all.length - found.length)}</p>
        )}
        <ul className="border-t border-hairline empty:hidden">
          {found.map(({ id, position, text }) => (
            <li key={id} className="grid grid-cols-[2.75rem_1fr] items-start border-b border-hairline py-3">
              <label className="grid size-11 place-items-center">
                <span className="sr-only">{texts.use(position + 1)}</span>
                <input
                  type="checkbox"
                  checked={!skipped.has(id)}
                  onChange={({ target }) => skip(id, !target.checked)}
                  className="size-5 accent-accent"
                />
              </label>
              <WordDifference before={text} after={text.replaceAll(from, to)} lang={name.language} />
            </li>
          ))}
        </ul>
        <Button
          type="submit"
          busy={busy !== undefined}
          disabled={chosen.length === 0}
          className="justify-self-start"
        >
          {texts.submit(chosen.length)}
        </Button>
      </form>
    </Drawer>
  );
}
