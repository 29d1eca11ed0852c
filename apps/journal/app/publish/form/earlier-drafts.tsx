import { Link } from 'react-router';
import { useDesk } from '../../desk/use-desk.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { draftIdOf, findDraft, listDrafts, readStoredDraft } from '../draft/stored-drafts.ts';

export interface EarlierDraftsProps {
  authorId: string;
  /** The draft that is open. */
  draftId: string;
  /** Opens a draft of this device. */
  onOpen(number: number): void;
}

/** A draft of this device by its number, which has its picture too, or one that the server alone has. */
type EarlierDraft = { title: string } & ({ number: number } | { postId: string });

/** Drafts that the server is asked for, since some of those that were changed last may be of others. */
const ASKED = 20;

/** Offers, above a form in which nothing is written, to go on with the draft that was written last. */
export function EarlierDrafts({ authorId, draftId, onOpen }: EarlierDraftsProps) {
  const { m } = useLanguage();
  const desk = useDesk();
  const { data = [] } = useLoadedData(draftId, async (): Promise<EarlierDraft[]> => {
    // Without the server, the drafts of this device are offered.
    const listed = await desk.list({ state: 'draft', limit: ASKED }).catch(() => ({ posts: [] }));
    const own = listed.posts.filter(({ owner }) => owner.id === authorId);
    const onServer = own.map(({ id, title }): EarlierDraft => {
      const number = findDraft(authorId, id);
      return number === undefined ? { title, postId: id } : { title, number };
    });
    const isListed = (number: number) => onServer.some((one) => 'number' in one && one.number === number);
    const here = listDrafts(authorId)
      .filter((number) => !isListed(number))
      .map((number) => ({ title: readStoredDraft(draftIdOf(authorId, number)).title, number }));
    const isOpen = (one: EarlierDraft) => 'number' in one && draftIdOf(authorId, one.number) === draftId;
    return [...onServer, ...here].filter((one) => !isOpen(one));
  });
  const [last, ...others] = data;
  if (!last) return null;
  const texts = m.publish.earlierDrafts;
  const title = last.title.trim();
  const label = title ? texts.open(title) : texts.openUntitled;
  const look = `${buttonClass({ variant: 'quiet', size: 'small' })} -mx-3 min-w-0 text-left [overflow-wrap:anywhere]`;
  return (
    <nav
      aria-label={texts.heading}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-y border-hairline py-1.5"
    >
      {'number' in last ? (
        <button type="button" onClick={() => onOpen(last.number)} className={look}>
          {label}
        </button>
      ) : (
        <Link to={`/admin/posts/${last.postId}`} className={look}>
          {label}
        </Link>
      )}
      {others.length > 0 && (
        <Link to="/admin/posts?state=draft" className={look}>
          {texts.all}
        </Link>
      )}
    </nav>
  );
}
