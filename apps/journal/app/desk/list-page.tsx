import type { ReactNode } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { AuthorLinks } from '../layout/author-links.tsx';
import { DeskPage } from './desk-page.tsx';

interface ListPageProps {
  /** The permission without which there is no such page. */
  permission: string;
  children: (userId: string) => ReactNode;
}

/** Shows a list of the desk, with links to the others. */
export function ListPage({ permission, children }: ListPageProps) {
  const { m } = useLanguage();
  return (
    <DeskPage
      permission={permission}
      back={{ to: '/gallery', label: m.post.backToGallery }}
      links={<AuthorLinks />}
      skeleton={<ListSkeleton />}
    >
      {children}
    </DeskPage>
  );
}

/** Reserves the place of a list. */
function ListSkeleton() {
  const { m } = useLanguage();
  return (
    <div className="unscripted:hidden pt-6">
      <p role="status" className="sr-only">
        {m.layout.loading}
      </p>
      <div className="skeleton mb-10 h-14 max-w-xs" />
      <div className="skeleton mb-8 h-11 max-w-2xl" />
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="skeleton mb-px h-20" />
      ))}
    </div>
  );
}
