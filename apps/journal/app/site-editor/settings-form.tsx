import { type FormEvent, useState } from 'react';
import { type AccentTheme, accentContrast, COLOUR, isReadableAccent } from '../../project/accent.ts';
import type { SiteSettings } from '../../project/entities.ts';
import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../project/languages.ts';
import { DEFAULT_NAME, imageOf, parseLanguages } from '../site/site.ts';
import { CONTROL_CLASS, Field } from '../ui/field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { countCharacters } from '../ui/text-limit.tsx';
import { FormFooter } from './form-footer.tsx';
import type { SiteMessages } from './load-site-messages.ts';
import { SiteImageField } from './site-image-field.tsx';
import { type RowForm, type RowFormOptions, useRowForm } from './use-row-form.ts';

/** The name of a site has at most this many characters. */
const MAX_NAME_LENGTH = 60;

interface FieldsProps {
  form: RowForm<SiteSettings>;
  texts: SiteMessages;
}

/** Edits the name, the languages, the colours and the pictures, which are saved together. */
export function SettingsForm(options: Omit<RowFormOptions<SiteSettings>, 'table'>) {
  const { texts } = options;
  const form = useRowForm({ ...options, table: 'siteSettings' });
  const [checked, setChecked] = useState(false);
  const { draft, theirs, change } = form;
  const fault = {
    light: accentFault(draft.accentLight, 'light', texts),
    dark: accentFault(draft.accentDark, 'dark', texts),
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    const isNameTooLong = countCharacters(draft.name ?? '') > MAX_NAME_LENGTH;
    const invalid = isNameTooLong
      ? 'name'
      : fault.light
        ? 'accentLight'
        : fault.dark
          ? 'accentDark'
          : undefined;
    if (!invalid) return form.save();
    event.currentTarget.querySelector<HTMLElement>(`[name=${invalid}]`)?.focus();
  };

  return (
    <form.Form {...form.props} onSubmit={submit} className="grid gap-6">
      <TextField
        name="name"
        label={texts.name}
        hint={theirsHint(theirs.name, texts) ?? texts.nameHint}
        placeholder={DEFAULT_NAME}
        limit={MAX_NAME_LENGTH}
        value={draft.name ?? ''}
        onChange={({ target }) => change({ name: target.value || null })}
      />
      <LanguageFields form={form} texts={texts} />
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <AccentField
          name="accentLight"
          placeholder="#8c2f2b"
          label={texts.accentLight}
          error={checked || (draft.accentLight?.length ?? 0) > 6 ? fault.light : undefined}
          hint={theirsHint(theirs.accentLight, texts) ?? texts.accentHint}
          value={draft.accentLight}
          onChange={(accentLight) => change({ accentLight })}
        />
        <AccentField
          name="accentDark"
          placeholder="#e58a80"
          label={texts.accentDark}
          error={checked || (draft.accentDark?.length ?? 0) > 6 ? fault.dark : undefined}
          hint={theirsHint(theirs.accentDark, texts) ?? texts.accentHint}
          value={draft.accentDark}
          onChange={(accentDark) => change({ accentDark })}
        />
      </div>
      <SiteImageField
        name="logo"
        label={texts.logo}
        hint={texts.logoHint}
        texts={texts}
        image={imageOf(draft.logoUrl, draft.logoWidth, draft.logoHeight)}
        onChange={(image) =>
          change({
            logoUrl: image?.url ?? null,
            logoWidth: image?.width ?? null,
            logoHeight: image?.height ?? null,
          })
        }
      />
      <SiteImageField
        name="about"
        label={texts.aboutImage}
        hint={texts.aboutImageHint}
        texts={texts}
        image={imageOf(draft.aboutImageUrl, draft.aboutImageWidth, draft.aboutImageHeight)}
        onChange={(image) =>
          change({
            aboutImageUrl: image?.url ?? null,
            aboutImageWidth: image?.width ?? null,
            aboutImageHeight: image?.height ?? null,
          })
        }
      />
      <FormFooter form={form} texts={texts} />
    </form.Form>
  );
}

/** Returns what somebody else has saved in a field that is changed here too. */
export function theirsHint(
  value: string | number | null | undefined,
  texts: SiteMessages,
): string | undefined {
  return value === undefined ? undefined : texts.theirs(String(value ?? texts.nothing));
}

function accentFault(colour: string | null, theme: AccentTheme, texts: SiteMessages): string | undefined {
  if (colour === null || isReadableAccent(colour, theme)) return undefined;
  return COLOUR.test(colour)
    ? texts.accentContrast(accentContrast(colour, theme).toFixed(1))
    : texts.accentForm;
}

interface AccentFieldProps {
  name: string;
  /** The colour of a site without an own one. */
  placeholder: string;
  label: string;
  error: string | undefined;
  hint: string;
  value: string | null;
  onChange(colour: string | null): void;
}

function AccentField({ name, placeholder, label, error, hint, value, onChange }: AccentFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <div className="flex items-stretch gap-2">
          <input
            {...ids}
            name={name}
            maxLength={7}
            spellCheck={false}
            autoComplete="off"
            placeholder={placeholder}
            value={value ?? ''}
            onChange={({ target }) => onChange(target.value.trim().toLowerCase() || null)}
            className={`${CONTROL_CLASS} min-h-11`}
          />
          <input
            type="color"
            aria-label={label}
            value={value !== null && COLOUR.test(value) ? value : placeholder}
            onChange={({ target }) => onChange(target.value)}
            className="h-auto w-12 shrink-0 cursor-pointer rounded-xs border border-field bg-raised p-1"
          />
        </div>
      )}
    </Field>
  );
}

/** Chooses the languages that readers are offered, and the default one, which is the first of the stored list. */
function LanguageFields({ form: { draft, theirs, change }, texts }: FieldsProps) {
  const languages = parseLanguages(draft.languages);
  const store = (chosen: readonly Language[]) => change({ languages: chosen.join(',') });
  const toggle = (code: Language, offered: boolean) => {
    const rest = languages.filter((one) => one !== code);
    if (offered) store([...rest, code]);
    else if (rest.length > 0) store(rest);
  };
  return (
    <div className="grid items-start gap-6 sm:grid-cols-2">
      <fieldset className="grid content-start gap-1">
        <legend className="mb-1.5 text-sm font-medium">{texts.languages}</legend>
        {LANGUAGES.map(({ code, name }) => (
          <label key={code} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              name="languages"
              value={code}
              checked={languages.includes(code)}
              // One language has to remain.
              disabled={languages.length === 1 && languages.includes(code)}
              onChange={({ target }) => toggle(code, target.checked)}
              className="size-5 accent-accent"
            />
            <span lang={code}>{name}</span>
          </label>
        ))}
        <p className="text-sm text-muted">
          {theirsHint(theirs.languages, texts) ??
            (languages.length === 1 ? texts.noLanguage : texts.languagesHint)}
        </p>
      </fieldset>
      <Field label={texts.defaultLanguage}>
        {(ids) => (
          <select
            {...ids}
            name="defaultLanguage"
            value={languages[0]}
            onChange={({ target }) => {
              const first = LANGUAGE_CODES.find((code) => code === target.value);
              if (first) store([first, ...languages.filter((code) => code !== first)]);
            }}
            className={`${CONTROL_CLASS} min-h-11 self-start`}
          >
            {LANGUAGES.filter(({ code }) => languages.includes(code)).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
