import { type ReactNode, Suspense, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { AskForRole } from '../layout/ask-for-role.tsx';
import { NeedsScript } from '../layout/needs-script.tsx';
import { MissingScreen } from '../not-found/missing-screen.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { hasCopies } from './saving/stored-copies.ts';

interface DeskPageProps {
  /** The permission without which there is no such page, or for `posts.create` only a word on whom to ask; without one, the server decides alone. */
  permission?: string;
  /** The path that the link back leads to, and its words. */
  back: { to: string; label: string };
  /** Links to other pages, at the same height as the link back. */
  links?: ReactNode;
  /** Shown until it is known who is signed in and the texts are loaded. */
  skeleton: ReactNode;
  children: (userId: string) => ReactNode;
}

/** Shows a page of the desk to whom its permission is granted. Visitors sign in first; everybody else finds no page here. */
export function DeskPage({ permission, back, links, skeleton, children }: DeskPageProps) {
  const { auth } = useClient();
  const { isLoading, user } = useAuth();
  const { pathname, search } = useLocation();
  const [shownFor, setShownFor] = useState(user?.id);
  if (user && user.id !== shownFor) setShownFor(user.id);
  // Whose session ends in the middle of a text stays with it; signing out removes it first.
  const userId = user?.id ?? (shownFor && hasCopies(shownFor) ? shownFor : undefined);
  if (!isLoading && !userId) {
    return <Navigate to={`/auth?${new URLSearchParams({ return_to: `${pathname}${search}` })}`} replace />;
  }
  const isAllowed = !user || !permission || auth.can(permission);
  if (!isAllowed && permission !== 'posts.create') return <MissingScreen />;
  return (
    <div className="page-width pt-6 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <BackLink to={back.to}>{back.label}</BackLink>
        {isAllowed && links}
      </div>
      <NeedsScript />
      {/* The key keeps one account's input from another. */}
      {!isAllowed ? (
        <NoDesk />
      ) : userId ? (
        <Suspense key={userId} fallback={skeleton}>
          {children(userId)}
        </Suspense>
      ) : (
        skeleton
      )}
    </div>
  );
}

function NoDesk() {
  const { m } = useLanguage();
  return (
    <>
      <h1 className="display-title pt-6 pb-10">{m.layout.posts}</h1>
      <AskForRole />
    </>
  );
}
