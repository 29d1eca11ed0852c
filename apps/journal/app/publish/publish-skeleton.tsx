import { Skeleton } from '../ui/skeleton.tsx';

/** The form's place, until it is known who is here. */
export function PublishSkeleton() {
  return (
    <div className="grid gap-x-16 unscripted:hidden gap-y-10 lg:grid-cols-[minmax(0,24rem)_1fr]">
      <Skeleton className="mt-7 aspect-[16/10] lg:aspect-[4/5]" />
      <div className="grid content-start gap-6">
        <Skeleton className="mt-7 h-12" />
        <Skeleton className="mt-7 h-96" />
      </div>
    </div>
  );
}
