import { useLanguage } from '../language/language-provider.tsx';
import { GalleryHeading, GRID_CLASS } from './gallery-heading.tsx';

const CARDS = ['first', 'second', 'third'];

/** Shows three placeholder cards while posts are loaded (docs/spec/product.md section 2). */
export function CardSkeletons() {
  const { m } = useLanguage();
  return (
    <div role="status">
      <p className="sr-only">{m.gallery.loading}</p>
      <div className={`${GRID_CLASS} appear-late`}>
        {CARDS.map((card) => (
          <div key={card} data-skeleton="card">
            <div className="skeleton aspect-[4/5]" />
            <div className="mt-3 border-t border-hairline pt-3">
              <div className="skeleton h-3 w-16" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Shows the whole screen with placeholders while its data is loaded. */
export function GallerySkeleton() {
  return (
    <div className="page-width">
      <GalleryHeading search="" />
      <CardSkeletons />
    </div>
  );
}
