/** A placeholder; give it the size of what it stands for, so that nothing shifts. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`shimmer ${className}`} />;
}
