import { useState } from 'react';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { isLanguage, LANGUAGES, type Language } from '../../../project/languages.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { CONTROL_CLASS, Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ByLanguage, Cover } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';
import { NumbersNotice } from './numbers-notice.tsx';
import { ProposedDescription } from './proposed-description.tsx';

/** Holds what is said about a picture, without the picture itself. */
export type CoverWords = Pick<Cover, 'alt' | 'caption' | 'credit' | 'licence' | 'description' | 'marks'>;

interface CoverDetailsProps {
  words: CoverWords;
  /** The language of the post's original, whose words are edited first. */
  language: Language | null;
  /** The URL of the picture if descriptions of it can be proposed. */
  described?: string | undefined;
  readOnly?: boolean;
  onChange(changes: Partial<CoverWords>): void;
}

/** Edits the alternative text and the caption of a picture in each language, its credit and its licence. */
export function CoverDetails({
  words,
  language: own,
  described,
  readOnly = false,
  onChange,
}: CoverDetailsProps) {
  const { cover: texts, fields } = useDeskMessages();
  const { language: shown } = useLanguage();
  const [language, setLanguage] = useState<Language>(own ?? shown);
  const pairOf = (typed: ByLanguage<string>) => ({
    own: own ? { text: typed[own] ?? '', language: own } : undefined,
    typed: { text: typed[language] ?? '', language },
  });
  return (
    <div className="grid gap-5">
      <Field label={texts.language}>
        {(ids) => (
          <select
            {...ids}
            value={language}
            onChange={({ target }) => isLanguage(target.value) && setLanguage(target.value)}
            className={`${CONTROL_CLASS} min-h-11`}
          >
            {LANGUAGES.map(({ code }) => (
              <option key={code} value={code}>
                {languageName(code, shown)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextArea
        label={texts.alt}
        hint={texts.altHint}
        rows={2}
        lang={language}
        limit={DOCUMENT_LIMITS.alt}
        readOnly={readOnly}
        value={words.alt[language] ?? ''}
        onChange={({ target }) => onChange({ alt: { ...words.alt, [language]: target.value } })}
      />
      {described && !readOnly && (
        <ProposedDescription
          key={`${language} ${described}`}
          picture={described}
          language={language}
          onUse={(alt) => onChange({ alt: { ...words.alt, [language]: alt } })}
        />
      )}
      <NumbersNotice {...pairOf(words.alt)} />
      <TextArea
        label={fields.description}
        hint={texts.descriptionHint}
        rows={4}
        lang={language}
        limit={DOCUMENT_LIMITS.description}
        readOnly={readOnly}
        value={words.description?.[language] ?? ''}
        onChange={({ target }) =>
          onChange({ description: { ...words.description, [language]: target.value } })
        }
      />
      {described && !readOnly && (
        <ProposedDescription
          key={`${language} ${described} long`}
          picture={described}
          language={language}
          long={{ marks: words.marks ?? [] }}
          onUse={(text) => onChange({ description: { ...words.description, [language]: text } })}
        />
      )}
      <TextArea
        label={texts.caption}
        rows={2}
        lang={language}
        limit={DOCUMENT_LIMITS.caption}
        readOnly={readOnly}
        value={words.caption[language] ?? ''}
        onChange={({ target }) => onChange({ caption: { ...words.caption, [language]: target.value } })}
      />
      <NumbersNotice {...pairOf(words.caption)} />
      <TextField
        label={texts.credit}
        hint={texts.creditHint}
        limit={DOCUMENT_LIMITS.credit}
        readOnly={readOnly}
        value={words.credit}
        onChange={({ target }) => onChange({ credit: target.value })}
      />
      <TextField
        label={texts.licence}
        hint={texts.licenceHint}
        limit={DOCUMENT_LIMITS.credit}
        readOnly={readOnly}
        value={words.licence}
        onChange={({ target }) => onChange({ licence: target.value })}
      />
    </div>
  );
}
