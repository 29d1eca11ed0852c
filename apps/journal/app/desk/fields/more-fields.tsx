import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isLanguage, LANGUAGES } from '../../../project/languages.ts';
import { CONTROL_CLASS, Field } from '../../ui/field.tsx';
import type { DeskDocument } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';
import { BylineField } from './byline-field.tsx';
import { CoverDetails, type CoverWords } from './cover-details.tsx';
import { SlugFields } from './slug-fields.tsx';

type MoreDetails = Pick<DeskDocument, 'language' | 'slugs' | 'byline'>;

interface MoreFieldsProps {
  details: MoreDetails;
  /** The texts about the picture; `null` while there is none. */
  words: CoverWords | null;
  /** The picture if a description of it can be proposed: its URL, or a file that is not stored yet. */
  described?: string | File | undefined;
  readOnly: boolean;
  /** Whether this account may say who the people of the post are. */
  canEditByline: boolean;
  /** Accounts of the byline that were deleted since. */
  goneAccounts?: readonly string[];
  onChange(changes: Partial<MoreDetails>): void;
  onChangeWords(changes: Partial<CoverWords>): void;
  /** Further fields, before the others. */
  children?: ReactNode;
}

/** Holds the fields that most posts do without, behind one quiet line. */
export function MoreFields({
  details,
  words,
  described,
  readOnly,
  canEditByline,
  goneAccounts,
  onChange,
  onChangeWords,
  children,
}: MoreFieldsProps) {
  const texts = useDeskMessages().more;
  const { language, slugs, byline } = details;
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group border-y border-hairline"
    >
      <summary className="flex min-h-12 items-center justify-between gap-4 py-2 hover:text-accent">
        <span>
          <span className="font-medium">{texts.open}</span>
          <span className="block text-sm text-muted">{texts.hint}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      {isOpen && (
        <div className="grid gap-10 pt-4 pb-8">
          {children}
          {words && (
            <CoverDetails
              words={words}
              language={language}
              described={described}
              readOnly={readOnly}
              onChange={onChangeWords}
            />
          )}
          <BylineField
            byline={byline}
            goneAccounts={goneAccounts}
            readOnly={readOnly || !canEditByline}
            onChange={(next) => onChange({ byline: next })}
          />
          <SlugFields slugs={slugs} readOnly={readOnly} onChange={(next) => onChange({ slugs: next })} />
          <Field label={texts.language}>
            {(ids) => (
              <select
                {...ids}
                value={language ?? ''}
                disabled={readOnly}
                onChange={({ target }) =>
                  onChange({ language: isLanguage(target.value) ? target.value : null })
                }
                className={`${CONTROL_CLASS} min-h-11`}
              >
                <option value="">{texts.unknownLanguage}</option>
                {LANGUAGES.map(({ code, name }) => (
                  <option key={code} value={code} lang={code}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
    </details>
  );
}
