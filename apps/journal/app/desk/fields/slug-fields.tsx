import { DOCUMENT_LIMITS, SLUG } from '../../../project/document-limits.ts';
import { LANGUAGES } from '../../../project/languages.ts';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ByLanguage } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';

interface SlugFieldsProps {
  slugs: ByLanguage<string>;
  readOnly?: boolean;
  onChange(slugs: ByLanguage<string>): void;
}

/** Edits the address of the post in each language. What is typed becomes what an address may be. */
export function SlugFields({ slugs, readOnly = false, onChange }: SlugFieldsProps) {
  const texts = useDeskMessages().more;
  const { language: shown } = useLanguage();
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-medium">{texts.slugs}</legend>
      <p className="text-sm text-muted">{texts.slugHint}</p>
      {LANGUAGES.map(({ code }) => {
        const slug = slugs[code] ?? '';
        return (
          <TextField
            key={code}
            label={languageName(code, shown)}
            limit={DOCUMENT_LIMITS.slug}
            readOnly={readOnly}
            value={slug}
            error={slug && !SLUG.test(slug) ? texts.slugInvalid : undefined}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            onChange={({ target }) => {
              const { [code]: _, ...others } = slugs;
              const typed = slugOf(target.value);
              onChange(typed ? { ...others, [code]: typed } : others);
            }}
            onBlur={() => slug.endsWith('-') && onChange({ ...slugs, [code]: slug.replace(/-+$/, '') })}
          />
        );
      })}
    </fieldset>
  );
}

/** Returns what is typed as an address: in small letters without accents, with hyphens for spaces. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, DOCUMENT_LIMITS.slug);
}
