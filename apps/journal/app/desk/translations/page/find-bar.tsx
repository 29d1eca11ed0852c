import { useState } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { Button } from '../../../ui/button.tsx';
import { CONTROL_CLASS } from '../../../ui/field.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { ReplaceDrawer } from './replace-drawer.tsx';

interface FindBarProps {
  id: string;
  name: TranslationName;
  segments: readonly TranslatedSegment[];
  search: string;
  /** The number of segments that have the words. */
  found: number;
  onSearch(search: string): void;
  onSegment(segment: TranslatedSegment): void;
}

/** Searches the segments of a post in both texts, and leads to replacing the words in the translation. */
export function FindBar({ id, name, segments, search, found, onSearch, onSegment }: FindBarProps) {
  const [replaces, setReplaces] = useState(false);
  const texts = useDeskMessages().translations.find;
  return (
    <search className="flex flex-wrap items-center gap-3 border-b border-hairline py-3">
      <input
        id={id}
        type="search"
        aria-label={texts.label}
        placeholder={texts.label}
        value={search}
        onChange={({ target }) => onSearch(target.value)}
        className={`${CONTROL_CLASS} min-h-11 max-w-80 min-w-0 flex-1`}
      />
      <p role="status" className="text-sm text-muted tabular-nums empty:hidden">
        {search && (found > 0 ? texts.found(found) : texts.nowhere)}
      </p>
      <Button variant="quiet" onClick={() => setReplaces(true)}>
        {texts.replace}
      </Button>
      {replaces && (
        <ReplaceDrawer
          name={name}
          segments={segments}
          search={search}
          onSegment={onSegment}
          onClose={() => setReplaces(false)}
        />
      )}
    </search>
  );
}
