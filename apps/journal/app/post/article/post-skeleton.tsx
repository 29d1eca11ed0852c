import { useLanguage } from '../../language/language-provider.tsx';
import { BackLink } from '../../ui/back-link.tsx';

const LINES = ['w-full', 'w-11/12', 'w-full', 'w-10/12', 'w-full', 'w-3/5'];

/** Reserves the place of each part of a post while it is loaded. */
export function PostSkeleton() {
  const { m } = useLanguage();
  return (
    <div className="page-width pt-6 pb-24">
      <div className="artwork-width">
        <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
      </div>
      <div role="status" className="artwork-width appear-late">
        <p className="sr-only">{m.post.loading}</p>
        <div className="post-article mt-4">
          <figure className="skeleton aspect-[16/10]" />
          <header>
            <div className="skeleton h-12 w-4/5 max-w-[32rem]" />
          </header>
          <div className="post-margin">
            <div className="skeleton mt-5 h-4 w-40 shrink-0 lg:mt-0" />
          </div>
          <div className="post-column grid gap-4">
            {LINES.map((width, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
              <div key={line} className={`skeleton h-4 ${width}`} />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
