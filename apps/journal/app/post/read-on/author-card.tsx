import { Link } from 'react-router';
import { localizeTitle, shownLanguage } from '../../../project/localize.ts';
import { Portrait } from '../../images/portrait.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { usePrefetch } from '../../offline/use-prefetch.ts';
import type { PostPage } from '../load-post.ts';

/** Introduces the author of a post by a sentence and by other posts. Where a byline names others alone, nobody is. */
export function AuthorCard({
  post: { userId, byline, author, authorPhoto, readOn },
}: {
  post: Pick<PostPage, 'userId' | 'byline' | 'author' | 'authorPhoto' | 'readOn'>;
}) {
  const { m, language } = useLanguage();
  const prefetch = usePrefetch();
  const name = byline.length > 0 ? byline.find((one) => one.userId === userId && !one.isAsked)?.name : author;
  const { byAuthor, introduction } = readOn;
  if (!name || (byAuthor.length === 0 && !introduction)) return null;
  return (
    <section aria-labelledby="author" className="mt-12 flex items-start gap-5 print:hidden">
      <Portrait photoUrl={authorPhoto} name={name} size="large" />
      <div className="min-w-0">
        <h2 id="author" className="font-serif text-xl leading-snug [overflow-wrap:anywhere]">
          {name}
        </h2>
        {introduction && (
          <p
            lang={introduction.language}
            dir="auto"
            className="mt-1 font-serif leading-relaxed [overflow-wrap:anywhere]"
          >
            {introduction.sentence}
          </p>
        )}
        {byAuthor.length > 0 && <p className="mt-2 text-[0.9375rem] text-muted">{m.post.readOn.byAuthor}</p>}
        <ul className="mt-1">
          {byAuthor.map((post) => (
            <li key={post.id}>
              <Link
                to={`/post/${post.id}`}
                prefetch={prefetch}
                lang={shownLanguage(post, 'title', language) ?? ''}
                dir="auto"
                className="inline-block py-1.5 font-serif text-lg leading-snug underline decoration-hairline underline-offset-4 [overflow-wrap:anywhere] hover:text-accent hover:decoration-accent"
              >
                {localizeTitle(post, language)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
