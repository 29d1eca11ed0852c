import { findStoredPhoto } from '../account/profile/stored-photo.ts';
import { resizedUrl } from './image-urls.ts';
import { useStorageUrl } from './responsive-image.tsx';

interface PortraitProps {
  /** The photo URL of an account. Only photos in the journal's own storage are shown. */
  photoUrl: string | null | undefined;
  /** The name that stands beside the portrait. */
  name: string;
  size?: 'small' | 'large';
}

/** Enough pixels for 56 CSS pixels on the densest screens. */
const PIXELS = 160;

/** Shows a small round photo of a person, or the initials. Their name stands beside it, so it has no text of its own. */
export function Portrait({ photoUrl, name, size = 'small' }: PortraitProps) {
  const src = useStorageUrl(findStoredPhoto(photoUrl ?? null)?.src ?? '');
  return (
    <span
      aria-hidden="true"
      className={`relative grid ${size === 'large' ? 'size-14 text-base' : 'size-9 text-xs'} shrink-0 place-items-center overflow-hidden rounded-full border border-hairline bg-raised font-medium text-muted select-none`}
    >
      {initialsOf(name)}
      {src && (
        <img
          alt=""
          width={36}
          height={36}
          loading="lazy"
          decoding="async"
          src={resizedUrl(src, PIXELS)}
          // The initials are behind a photo that could not be loaded.
          onError={({ currentTarget }) => currentTarget.remove()}
          className="absolute inset-0 size-full bg-raised object-cover"
        />
      )}
    </span>
  );
}

/** Returns the first letters of the first and of the last word of a name, without titles such as `Dr` and what follows a comma. */
export function initialsOf(name: string): string {
  const words = (name.split(',', 1)[0] ?? '').match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  const own = words.filter((word) => !/^(?:dr|prof|med|mr|mrs|ms|frau|herr|dra|sr|sra|mme|m)$/i.test(word));
  const [first = '', ...others] = own.length > 0 ? own : words;
  return [first, others.at(-1) ?? ''].map((word) => [...word][0]?.toLocaleUpperCase() ?? '').join('');
}
