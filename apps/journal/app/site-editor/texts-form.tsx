import type { FormEvent } from 'react';
import type { SiteTexts } from '../../project/entities.ts';
import { ABOUT_SECTIONS } from '../../project/entities.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { countCharacters } from '../ui/text-limit.tsx';
import { FormFooter } from './form-footer.tsx';
import { theirsHint } from './settings-form.tsx';
import { type RowFormOptions, useRowForm } from './use-row-form.ts';

/** The columns with texts. */
type TextColumn = Exclude<keyof SiteTexts, 'id' | 'updatedAt'>;

/** The limits of the table's columns, in characters. */
const MAX: Record<TextColumn, number> = {
  tagline: 200,
  aboutImageAlt: 300,
  whoTitle: 200,
  visionTitle: 200,
  whyTitle: 200,
  quoteText: 500,
  quoteSource: 200,
  whoText: 20_000,
  visionText: 20_000,
  whyText: 20_000,
  contactText: 5_000,
  imprint: 50_000,
  privacy: 50_000,
};

/** Edits the texts of the site in one language, which are saved together. */
export function TextsForm(options: Omit<RowFormOptions<SiteTexts>, 'table'>) {
  const { m } = useLanguage();
  const { loaded, texts } = options;
  const form = useRowForm({ ...options, table: 'siteTexts' });
  const { draft, theirs } = form;
  const titles = { who: m.about.whoIAm.heading, vision: m.about.vision.heading, why: m.about.why.heading };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The counter beside the field says what is wrong.
    const tooLong = Object.entries(MAX).find(
      ([name, limit]) => countCharacters(draft[name as TextColumn] ?? '') > limit,
    );
    if (tooLong) return event.currentTarget.querySelector<HTMLElement>(`[name=${tooLong[0]}]`)?.focus();
    form.save();
  };

  const field = (name: TextColumn, label: string, hint?: string) => ({
    name,
    label,
    hint: theirsHint(theirs[name], texts) ?? hint,
    lang: loaded.id,
    dir: 'auto' as const,
    limit: MAX[name],
    value: draft[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => form.change({ [name]: target.value || null }),
  });

  return (
    <form.Form {...form.props} onSubmit={submit} className="grid gap-6">
      <TextField {...field('tagline', texts.tagline)} />
      <fieldset className="grid gap-6">
        <legend className="pb-4 font-serif text-xl">{texts.about}</legend>
        {ABOUT_SECTIONS.map((section) => (
          <div key={section} className="grid gap-4">
            <TextField
              {...field(`${section}Title`, texts.sectionTitle(titles[section]))}
              placeholder={titles[section]}
            />
            <TextArea rows={6} {...field(`${section}Text`, texts.sectionText(titles[section]))} />
          </div>
        ))}
        <TextArea rows={2} {...field('quoteText', texts.quote)} />
        <TextField {...field('quoteSource', texts.quoteSource)} />
        <TextField {...field('aboutImageAlt', texts.imageAlt)} />
      </fieldset>
      <TextArea rows={4} {...field('contactText', texts.contact, texts.contactHint)} />
      <TextArea rows={8} {...field('imprint', texts.imprint, texts.legalHint)} />
      <TextArea rows={8} {...field('privacy', texts.privacy, texts.legalHint)} />
      <FormFooter form={form} texts={texts} />
    </form.Form>
  );
}
