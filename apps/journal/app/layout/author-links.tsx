import { ChartLine, type LucideIcon, Settings2 } from 'lucide-react';
import { Link } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';

/** Links the pages of authors to the insights into how their posts are read, and those of operators to the site's settings. */
export function AuthorLinks() {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { user } = useAuth();
  return (
    <div className="flex flex-wrap gap-x-6">
      <AuthorLink to="/admin/insights" icon={ChartLine} label={m.layout.insights} />
      {user && auth.can('site.edit') && (
        <AuthorLink to="/admin/site" icon={Settings2} label={m.layout.site} />
      )}
    </div>
  );
}

function AuthorLink({ to, icon: Icon, label }: { to: string; icon: LucideIcon; label: string }) {
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
