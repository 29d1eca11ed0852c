import { Search } from 'lucide-react';
import { Form } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';

/** One, two or three posts a row, depending on the width of the screen. */
export const GRID_CLASS =
  'grid grid-cols-1 gap-x-8 gap-y-10 sm:gap-y-12 md:grid-cols-2 lg:grid-cols-3 lg:gap-x-10 lg:gap-y-14';

/** Shows the title and a form that searches the texts in the reader's language. */
export function GalleryHeading({ search }: { search: string }) {
  const { m } = useLanguage();
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-12 gap-y-7 pt-12 pb-10 sm:pt-16 sm:pb-12">
      <div className="grid gap-3">
        <h1 className="display-title">{m.gallery.title}</h1>
        <p className="font-serif text-xl leading-snug text-muted">{m.gallery.lead}</p>
      </div>
      <Form
        role="search"
        action="/gallery"
        className="flex w-full items-center border-b border-field print:hidden has-[input:focus-visible]:border-accent has-[input:focus-visible]:shadow-[0_1px_0_var(--accent)] sm:w-72"
      >
        <input
          key={search}
          type="search"
          name="search"
          defaultValue={search}
          maxLength={1_000}
          aria-label={m.gallery.search}
          placeholder={m.gallery.search}
          className="min-h-11 min-w-0 flex-1 bg-transparent text-base text-ink placeholder:text-muted focus:outline-hidden"
        />
        <button
          type="submit"
          aria-label={m.gallery.submitSearch}
          className="grid size-11 shrink-0 place-items-center text-muted hover:text-accent"
        >
          <Search aria-hidden="true" className="size-[1.125rem]" />
        </button>
      </Form>
    </div>
  );
}
