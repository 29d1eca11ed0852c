import { BookA, ChartLine, Files, Languages, type LucideIcon, Settings2, Users } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';

/** Links the pages of authors to each other, and those of admins to the people and to the site's settings. */
export function AuthorLinks() {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { user } = useAuth();
  return (
    <div className="flex flex-wrap gap-x-6">
      {user && auth.can('posts.create') && (
        <>
          <AuthorLink to="/admin/posts" icon={Files} label={m.layout.posts} />
          <AuthorLink to="/admin/translations" icon={Languages} label={m.layout.translations} />
          <AuthorLink to="/admin/terms" icon={BookA} label={m.layout.terms} />
          <AuthorLink to="/admin/insights" icon={ChartLine} label={m.layout.insights} />
        </>
      )}
      {user && auth.can('people.edit') && (
        <AuthorLink to="/admin/people" icon={Users} label={m.layout.people} />
      )}
      {user && auth.can('site.edit') && (
        <AuthorLink to="/admin/site" icon={Settings2} label={m.layout.site} />
      )}
    </div>
  );
}

function AuthorLink({ to, icon: Icon, label }: { to: string; icon: LucideIcon; label: string }) {
  const { pathname } = useLocation();
  if (pathname === to) return null;
  return (
    <Link
      to={to}
      viewTransition
      className="inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted transition-colors hover:text-accent"
    >
      <Icon aria-hidden="true" className="size-4" />
      {label}
    </Link>
  );
}
