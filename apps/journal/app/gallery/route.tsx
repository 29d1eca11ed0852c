import { data, Link, redirect, useNavigation, useRevalidator } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';
import { EmptyGallery } from './empty-gallery.tsx';
import { GalleryHeading } from './gallery-heading.tsx';
import { PlateSkeletons } from './gallery-skeleton.tsx';
import { loadPlates, type PlatePage } from './load-gallery-page.ts';
import { NewerPosts } from './newer-posts.tsx';
import { PlateWall } from './post-grid.tsx';
import { normalizeSearch } from './search-filter.ts';
import { SearchState } from './search-state.tsx';
import { useNewestPage } from './use-newest-page.ts';

const NO_PLATES: PlatePage = { plates: [], nextCursor: null, firstNumber: null };

/** A failed load is logged and shows the empty gallery (docs/spec/product.md section 8), with a status that nobody keeps. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { client, language, reportFailure } = context.get(backendContext);
  const search = normalizeSearch(url.searchParams.get('search'));
  const cursor = url.searchParams.get('cursor');
  const shown = { search, continued: cursor !== null };
  try {
    return data({ ...shown, page: await loadPlates(client, { language, search, cursor }), failed: false });
  } catch (error) {
    if (isStaleCursor(error)) throw redirect('/gallery');
    reportFailure(error);
    return data({ ...shown, page: NO_PLATES, failed: true }, { status: 503 });
  }
}

/** By its code: the client's classes exist once in the server and once in the built pages. */
function isStaleCursor(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'INVALID_CURSOR';
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const m = messagesOf(language);
  const { search = '', page } = loaderData ?? {};
  return buildMetadata({
    title: search ? m.gallery.resultsFor(search) : m.gallery.title,
    description: m.gallery.description,
    path: '/gallery',
    language,
    publicUrl,
    image: page?.plates[0]?.picture.address,
    indexed: !search,
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: m.layout.siteName,
      description: m.gallery.description,
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
  const { search, continued, failed } = loaderData;
  const { page, wall, loadNewest } = useNewestPage(loaderData.page, language);
  const reloading = useReloading();
  const empty = page.plates.length === 0;
  return (
    <div className="page-width">
      <GalleryHeading search={search} />
      <NewerPosts
        shown={{ time: page.plates[0]?.createdAt ?? 0, isLive: !search && !continued && !failed }}
        onShow={loadNewest}
      />
      {reloading ? (
        <PlateSkeletons />
      ) : (
        <div ref={wall}>
          {search && <SearchState search={search} found={!empty} />}
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
          {!empty && <PlateWall first={page} search={search} />}
          {empty && !search && <EmptyGallery failed={failed} />}
        </div>
      )}
    </div>
  );
}

/** The list is on its way anew: another language, another search. */
function useReloading(): boolean {
  const { state } = useRevalidator();
  const navigation = useNavigation();
  return state === 'loading' || navigation.location?.pathname === '/gallery';
}
