import { ChartLine } from 'lucide-react';
import { Link } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';

/** Links the pages of authors to the insights into how their posts are read. */
export function InsightsLink() {
  const { m } = useLanguage();
  return (
    <Link
      to="/admin/insights"
      viewTransition
      className="inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted transition-colors hover:text-accent"
    >
      <ChartLine aria-hidden="true" className="size-4" />
      {m.layout.insights}
    </Link>
  );
}
