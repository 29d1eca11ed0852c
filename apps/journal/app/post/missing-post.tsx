import { useLanguage } from '../language/language-provider.tsx';
import { BackLink } from '../ui/back-link.tsx';

/** There is no such post, or none any more. */
export function MissingPost() {
  const { m } = useLanguage();
  return (
    <div className="page-width pt-6 pb-24">
      <BackLink to="/gallery">{m.post.backToGallery}</BackLink>
      <div className="grid gap-5 py-14 sm:py-20">
        <h1 className="display-title">{m.post.notFound.title}</h1>
        <p className="max-w-md text-lg leading-relaxed text-muted">{m.post.notFound.text}</p>
      </div>
    </div>
  );
}
