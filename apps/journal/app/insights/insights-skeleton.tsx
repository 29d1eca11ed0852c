import { Skeleton } from '../ui/skeleton.tsx';

const TOTALS = ['views', 'readers', 'reads', 'likes', 'comments'];
const LISTS = ['pages', 'languages', 'channels', 'referrers'];

/** Shows a placeholder for the page below its header until it is known who is signed in. */
export function InsightsSkeleton() {
  return (
    <div className="grid gap-12 unscripted:hidden">
      <Skeleton className="h-50 sm:h-36 lg:h-19" />
      <TotalsSkeleton />
      <ChartsSkeleton />
    </div>
  );
}

export function TotalsSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-x-8 gap-y-8 pb-10 sm:grid-cols-3 lg:grid-cols-5">
      {TOTALS.map((name) => (
        <Skeleton key={name} className="h-23" />
      ))}
    </div>
  );
}

export function ChartsSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-12 lg:grid-cols-2">
      <Skeleton className="h-114 lg:col-span-2" />
      <Skeleton className="h-114 lg:col-span-2" />
      {LISTS.map((name) => (
        <Skeleton key={name} className="h-80" />
      ))}
    </div>
  );
}
