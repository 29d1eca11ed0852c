import { Link } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import type { GalleryPage } from './load-gallery-page.ts';
import { MAX_SEARCH_LENGTH, MAX_WORDS } from './search-filter.ts';

interface SearchStateProps {
  search: string;
  /** Whether only a part of what was typed is looked for. */
  isCut: boolean;
  page: GalleryPage;
}

/** Shows what the results are for and how many there are, in which texts they were found, and a link back to all posts. */
export function SearchState({ search, isCut, page }: SearchStateProps) {
  const { m } = useLanguage();
  const { results, elsewhere } = page;
  const found = page.posts.length > 0 && !elsewhere;
  return (
    <div className="mb-10 flex flex-wrap items-baseline gap-x-5 gap-y-1">
      <div
        role="status"
        className={found && !isCut ? 'flex flex-wrap items-baseline gap-x-4' : 'grid w-full gap-1.5'}
      >
        <h2 className="font-serif text-2xl leading-snug [overflow-wrap:anywhere]">
          {found ? m.gallery.resultsFor(search) : m.gallery.nothingFound(search)}
        </h2>
        {isCut && <p className="text-muted">{m.gallery.searchCut(MAX_WORDS, MAX_SEARCH_LENGTH)}</p>}
        {found && results !== null && <p className="text-muted">{m.gallery.results(results)}</p>}
        {!found && !elsewhere && <p className="text-lg text-muted">{m.gallery.nothingFoundHint}</p>}
      </div>
      <Link
        to="/gallery"
        className="inline-flex min-h-11 items-center text-sm font-medium text-accent underline underline-offset-4 hover:text-accent-strong"
      >
        {m.gallery.clearSearch}
      </Link>
      {elsewhere && (
        <p role="status" className="w-full text-lg text-muted">
          {m.gallery.foundElsewhere(results)}
        </p>
      )}
    </div>
  );
}
