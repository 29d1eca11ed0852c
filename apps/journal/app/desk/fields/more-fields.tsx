import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isLanguage, LANGUAGES } from '../../../project/languages.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS, Field } from '../../ui/field.tsx';
import type { DeskPerson } from '../desk-client.ts';
import type { DeskDocument } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';
import { BylineField } from './byline-field.tsx';
import { CoverDetails, type CoverWords } from './cover-details.tsx';
import { MarksField, type MarksFieldProps } from './marks-field.tsx';
import { SlugFields } from './slug-fields.tsx';

type MoreDetails = Pick<DeskDocument, 'language' | 'slugs' | 'byline'>;

interface MoreFieldsProps extends Pick<MarksFieldProps, 'text' | 'taken'> {
  details: MoreDetails;
  /** The texts about the picture; `null` while there is none. */
  words: CoverWords | null;
  /** The URL of the picture. */
  src: string | undefined;
  /** The URL of the picture if descriptions of it can be proposed. */
  described?: string | undefined;
  readOnly: boolean;
  /** Whether this account may say who the people of the post are. */
  canEditByline: boolean;
  /** Accounts of the byline that were deleted since. */
  goneAccounts?: readonly string[];
  /** The account that the post belongs to. */
  owner: DeskPerson | null;
  onChange(changes: Partial<MoreDetails>): void;
  onChangeWords(changes: Partial<CoverWords>): void;
}

/** Holds the fields that most posts do without, behind a quiet line for each matter. */
export function MoreFields({
  details,
  words,
  src,
  text,
  taken,
  described,
  readOnly,
  canEditByline,
  goneAccounts,
  owner,
  onChange,
  onChangeWords,
}: MoreFieldsProps) {
  const { more: texts, cover, fields, marks: markTexts } = useDeskMessages();
  const { language: shown } = useLanguage();
  const { language, slugs, byline } = details;
  const people = byline.map(({ name }) => name).join(', ');
  return (
    <div className="border-b border-hairline">
      {words && (
        <Fold title={texts.picture} hint={[cover.alt, cover.caption, cover.licence].join(', ')}>
          <CoverDetails
            words={words}
            language={language}
            described={described}
            readOnly={readOnly}
            onChange={onChangeWords}
          />
        </Fold>
      )}
      {src && words && (
        <Fold title={fields.marks} hint={words.marks?.map(({ id }) => id).join(', ') || markTexts.none}>
          <MarksField
            {...{ src, text, taken }}
            marks={words.marks ?? []}
            language={language ?? shown}
            readOnly={readOnly}
            onChange={(next) => onChangeWords({ marks: next })}
          />
        </Fold>
      )}
      <Fold title={texts.byline} hint={people || owner?.name || texts.nobody}>
        <BylineField
          byline={byline}
          goneAccounts={goneAccounts}
          owner={owner}
          readOnly={readOnly || !canEditByline}
          onChange={(next) => onChange({ byline: next })}
        />
      </Fold>
      <Fold
        title={texts.address}
        hint={`${texts.language}: ${language ? languageName(language, shown) : texts.unknownLanguage}`}
      >
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
              {LANGUAGES.map(({ code }) => (
                <option key={code} value={code}>
                  {languageName(code, shown)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <SlugFields slugs={slugs} readOnly={readOnly} onChange={(next) => onChange({ slugs: next })} />
      </Fold>
    </div>
  );
}

/** Shows fields once their line is pressed. */
function Fold({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group border-t border-hairline"
    >
      <summary className="flex min-h-12 items-center justify-between gap-4 py-2 hover:text-accent">
        <span className="min-w-0">
          <span className="font-medium">{title}</span>
          <span className="block text-sm text-muted [overflow-wrap:anywhere]">{hint}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      {isOpen && <div className="grid gap-8 pt-4 pb-8">{children}</div>}
    </details>
  );
}
