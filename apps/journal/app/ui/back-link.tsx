import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';

/**
 * Links back to a page. A reader who came from there by a link with `from` in its state goes back in the history, and finds
 * the page as it was left.
 */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || state?.from !== to) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Link
      to={to}
      onClick={goBack}
      viewTransition
      className="group print:hidden inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted transition-colors hover:text-accent"
    >
      <ArrowLeft
        aria-hidden="true"
        className="size-4 transition-transform duration-200 group-hover:-translate-x-0.5 motion-reduce:transition-none"
      />
      {children}
    </Link>
  );
}
