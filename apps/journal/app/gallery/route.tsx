import { data, Link, redirect, useNavigation, useRevalidator } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';
import { EmptyGallery } from './empty-gallery.tsx';
import { GalleryHeading } from './gallery-heading.tsx';
import { CardSkeletons } from './gallery-skeleton.tsx';
import { loadResults, NO_POSTS } from './load-gallery-page.ts';
import { NewerPosts } from './newer-posts.tsx';
import { PostGrid } from './post-grid.tsx';
import { isSearchCut, normalizeSearch } from './search-filter.ts';
import { SearchState } from './search-state.tsx';
import { useNewestPage } from './use-newest-page.ts';

/** Loads a page of posts. A failure is logged, and the page says so with a status that no cache stores. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { client, language, parseMarkdown, reportFailure } = context.get(backendContext);
  const typed = url.searchParams.get('search');
  const search = normalizeSearch(typed);
  const cursor = url.searchParams.get('cursor');
  const shown = { search, isCut: isSearchCut(typed, language), continued: cursor !== null };
  try {
    return data({
      ...shown,
      page: await loadResults(client, { language, search, cursor, parseMarkdown, reportFailure }),
      failed: false,
    });
  } catch (error) {
    if (isStaleCursor(error)) throw redirect('/gallery');
    reportFailure(error);
    return data({ ...shown, page: NO_POSTS, failed: true }, { status: 503 });
  }
}

/** Compares the code, because the built pages have their own copy of the client's error classes. */
function isStaleCursor(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'INVALID_CURSOR';
}

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const m = messagesOf(language);
  const { search = '', page } = loaderData ?? {};
  const cursor = new URLSearchParams(location.search).get('cursor');
  return buildMetadata({
    title: search ? m.gallery.resultsFor(search) : m.gallery.title,
    description: m.gallery.description(site.name),
    path: '/gallery',
    ...(cursor && { parameters: { cursor } }),
    language,
    publicUrl,
    site,
    image: page?.posts[0]?.artwork.url,
    indexed: !search,
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: site.name,
      description: m.gallery.description(site.name),
      url: publicUrl,
      inLanguage: language,
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${publicUrl}/gallery?search={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
  });
}

export default function Gallery({ loaderData }: Route.ComponentProps) {
  const { m, language } = useLanguage();
  const { search, isCut, continued, failed } = loaderData;
  const { page, grid, loadNewest } = useNewestPage(loaderData.page, language);
  const reloading = useReloading();
  const empty = page.posts.length === 0;
  return (
    <div className="page-width">
      <GalleryHeading search={search} />
      <NewerPosts
        shown={{ time: page.posts[0]?.createdAt ?? 0, isLive: !search && !continued && !failed }}
        onShow={loadNewest}
      />
      {reloading ? (
        <CardSkeletons />
      ) : (
        <div ref={grid}>
          {search && !failed && <SearchState search={search} isCut={isCut} page={page} />}
          {continued && (
            <p className="mb-8">
              <Link
                to={search ? `/gallery?${new URLSearchParams({ search })}` : '/gallery'}
                className="text-sm font-medium text-accent underline underline-offset-4"
              >
                {m.gallery.toNewest}
              </Link>
            </p>
          )}
          {!empty && <PostGrid first={page} search={search} />}
          {empty && (failed || !search) && <EmptyGallery failed={failed} />}
        </div>
      )}
    </div>
  );
}

/** Returns whether another page of posts is being loaded, after a change of language or a search. */
function useReloading(): boolean {
  const { state } = useRevalidator();
  const navigation = useNavigation();
  return state === 'loading' || navigation.location?.pathname === '/gallery';
}
