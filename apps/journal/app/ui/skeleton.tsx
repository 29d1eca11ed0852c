/** Holds the place of content that is loading; give it the content's size, so that nothing shifts. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`shimmer ${className}`} />;
}
