import { Link, useLocation } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { buttonClass } from '../ui/button-class.ts';

/** Shows an empty frame with an invitation when there are no posts, and another try after a failed load. */
export function EmptyGallery({ failed }: { failed: boolean }) {
  const { m } = useLanguage();
  const { user } = useAuth();
  const { auth } = useClient();
  const { search } = useLocation();
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-4 border border-hairline px-6 py-20 text-center outline outline-hairline -outline-offset-8 sm:py-28">
      <h2 className="font-serif text-3xl tracking-[-0.015em]">
        {failed ? m.gallery.failedTitle : m.gallery.empty}
      </h2>
      <p className="max-w-sm text-lg leading-relaxed text-muted">
        {failed ? m.gallery.failed : m.gallery.emptyInvitation}
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {failed && (
          <a href={`/gallery${search}`} className={buttonClass()}>
            {m.gallery.tryAgain}
          </a>
        )}
        {!failed && user && auth.can('posts.create') && (
          <Link to="/admin" className={buttonClass()}>
            {m.gallery.publishFirst}
          </Link>
        )}
        <Link to="/about-me" className={buttonClass({ variant: 'outline' })}>
          {m.gallery.aboutJournal}
        </Link>
      </div>
    </div>
  );
}
