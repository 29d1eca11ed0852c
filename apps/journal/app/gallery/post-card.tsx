import type { CSSProperties, Ref } from 'react';
import { Link, useViewTransitionState } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { localizeTitle } from '../language/localize.ts';
import { LongDate } from '../language/long-date.tsx';
import { Picture, type PictureProps } from '../pictures/picture.tsx';
import type { PictureFrame } from '../pictures/picture-frame.ts';
import type { Plate } from './load-gallery-page.ts';

/** A plate on the wall, 4:5, in a column of `GRID_CLASS` within `page-width`. */
const PLATE_FRAME: PictureFrame = {
  ratio: 4 / 5,
  widths: [
    ['(min-width: 80rem)', '23rem'],
    ['(min-width: 64rem)', '30.67vw - 1.67rem'],
    ['(min-width: 48rem)', '46vw - 1rem'],
    ['92vw'],
  ],
};

export interface PlateCardProps {
  plate: Plate;
  /** Place in the grid, from 0. */
  order: number;
  /** When its picture is fetched. */
  loading: PictureProps['loading'];
  /** Shown below the plate; null where plates are not numbered. */
  number: number | null;
  /** Rises into its place; not when the reader comes back to where it stood already. */
  rises: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** A post as a plate on the wall; its picture becomes the post's hero when it is opened. */
export function PlateCard({ plate, order, loading, number, rises, ref }: PlateCardProps) {
  const { language, m } = useLanguage();
  const address = `/post/${plate.id}`;
  const transitioning = useViewTransitionState(address);
  return (
    <li className={rises ? 'rise-in' : undefined} style={{ '--order': order } as CSSProperties}>
      <Link ref={ref} to={address} viewTransition prefetch="intent" className="group relative block">
        <div
          className="aspect-[4/5] overflow-hidden bg-hairline"
          style={transitioning ? { viewTransitionName: `plate-${plate.id}` } : undefined}
        >
          <Picture
            source={plate.picture}
            frame={PLATE_FRAME}
            alt=""
            loading={loading}
            className="size-full transition-transform duration-700 ease-out group-hover:scale-[1.025] group-focus-visible:scale-[1.025] motion-reduce:transition-none motion-reduce:group-hover:scale-100"
          />
        </div>
        <div className="plate-caption">
          <h2 className="font-serif text-2xl leading-[1.15] tracking-[-0.012em]">
            {localizeTitle(plate, language)}
          </h2>
          <LongDate time={plate.createdAt} className="mt-1.5 block text-sm" />
        </div>
      </Link>
      {number !== null && (
        <p className="small-caps-label mt-3 border-t border-hairline pt-2.5 text-muted">
          {m.gallery.plate(number)}
        </p>
      )}
      {number === null && <div className="mt-3 border-t border-hairline" />}
    </li>
  );
}
