const TOTALS = ['views', 'readers', 'reads', 'likes', 'comments'];
const LISTS = ['pages', 'languages', 'channels', 'referrers'];

/** Shows a placeholder for the page below its header until it is known who is signed in. */
export function InsightsSkeleton() {
  return (
    <div className="grid gap-12 unscripted:hidden">
      <div className="skeleton h-50 sm:h-36 lg:h-19" />
      <TotalsSkeleton />
      <ChartsSkeleton />
    </div>
  );
}

export function TotalsSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-x-8 gap-y-8 pb-10 sm:grid-cols-3 lg:grid-cols-5">
      {TOTALS.map((name) => (
        <div key={name} className="skeleton h-23" />
      ))}
    </div>
  );
}

export function ChartsSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-12 lg:grid-cols-2">
      <div className="skeleton h-114 lg:col-span-2" />
      <div className="skeleton h-114 lg:col-span-2" />
      {LISTS.map((name) => (
        <div key={name} className="skeleton h-80" />
      ))}
    </div>
  );
}
