import { resizedUrl } from '../../images/image-urls.ts';
import { useStorageUrl } from '../../images/responsive-image.tsx';
import { DEFAULT_NAME, type SiteImage, useSite } from '../../site/site.ts';

/** Shows the site's name beside its logo. */
export function Logo() {
  const { name, logo } = useSite();
  return (
    <span className="inline-flex items-center gap-2 sm:gap-2.5">
      {logo ? <OwnLogo logo={logo} /> : <Initial name={name} />}
      <span className="translate-y-[0.08em] font-serif text-2xl leading-none tracking-[-0.02em] [overflow-wrap:anywhere] sm:text-[1.625rem]">
        {name}
      </span>
    </span>
  );
}

/** Enough pixels for 128 CSS pixels on most screens. */
const LOGO_PIXELS = 320;

function OwnLogo({ logo: { url, width, height } }: { logo: SiteImage }) {
  return (
    <img
      src={resizedUrl(useStorageUrl(url), LOGO_PIXELS)}
      alt=""
      width={width ?? undefined}
      height={height ?? undefined}
      className="h-8 w-auto max-w-32 object-contain"
    />
  );
}

/** Frames the first letter of the name, as old atlases set the first letter of a chapter. */
function Initial({ name }: { name: string }) {
  const [letter = ''] = name;
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8 shrink-0 text-accent">
      <rect x="1" y="1" width="30" height="30" fill="none" stroke="currentColor" strokeWidth="1.25" />
      <rect x="3.5" y="3.5" width="25" height="25" fill="none" stroke="currentColor" strokeWidth="0.5" />
      {name === DEFAULT_NAME ? (
        <path
          fill="currentColor"
          d="M10 7.6h12.4l.3 4.6h-.8c-.5-2.6-1.4-3.5-4.3-3.5h-2.7v6.7h1.7c2 0 2.5-.6 2.800-2.500h.8v6.200h-.8c-.3-1.900-.8-2.500-2.800-2.500h-1.7v5.600c0 1.400.4 1.700 2.400 1.800v.7H10V24c1.500-.1 1.800-.4 1.800-1.800V10.200c0-1.400-.3-1.700-1.800-1.800z"
        />
      ) : (
        <text x="16" y="23.5" textAnchor="middle" fill="currentColor" className="font-serif text-[22px]">
          {letter.toUpperCase()}
        </text>
      )}
    </svg>
  );
}
