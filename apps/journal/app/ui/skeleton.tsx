/** A block where something will stand; give it that thing's size, so that nothing shifts. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`shimmer ${className}`} />;
}
