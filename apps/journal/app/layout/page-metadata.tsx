import { createContext, type ReactNode, use } from 'react';
import { Meta } from 'react-router';
import { CachedHead } from './cached-part.tsx';
import { ScriptNonce } from './head-script.tsx';

/** The metadata of a page, written by the server (see `rendering/write-metadata.ts`). */
export interface WrittenMetadata {
  /** The markup of the title and of the `meta` and `link` elements. */
  tags: string;
  /** JSON-LD for search engines, escaped for scripts. */
  data: readonly string[];
}

/** Holds the metadata of a page that the server renders at once; null for any other. */
export const WrittenMetadataContext = createContext<WrittenMetadata | null>(null);

export interface PageMetadataProps {
  /** All that the tags around the metadata depend on. */
  cacheKey: readonly unknown[];
  before: ReactNode;
  after(nonce: string | undefined): ReactNode;
}

/** Shows the metadata of the page's routes between other tags of the head. */
export function PageMetadata({ cacheKey, before, after }: PageMetadataProps) {
  const written = use(WrittenMetadataContext);
  const scripts = written?.data.map((json) => (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the JSON is escaped for a script.
    <script key={json} type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  ));
  return (
    <CachedHead
      name="head"
      cacheKey={cacheKey}
      written={written?.tags}
      nonce={use(ScriptNonce)}
      beside={scripts}
    >
      {(tags, nonce) => (
        <>
          {before}
          {tags ?? <Meta />}
          {after(nonce)}
        </>
      )}
    </CachedHead>
  );
}
