import { Link } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { buttonClass } from '../ui/button-class.ts';

/** Tells that there is no page at this URL, and links to the gallery. */
export function MissingScreen() {
  const { m } = useLanguage();
  return (
    <div className="page-width grid grid-cols-1 items-center gap-x-16 gap-y-10 py-16 sm:py-24 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
      <EmptyFrame />
      <div className="grid grid-cols-1 gap-5">
        <p className="small-caps-label text-accent">404</p>
        <h1 className="display-title">{m.notFound.title}</h1>
        <p className="max-w-md text-lg leading-relaxed text-muted">{m.notFound.text}</p>
        <Link to="/gallery" className={`${buttonClass()} mt-3 justify-self-start`}>
          {m.notFound.toGallery}
        </Link>
      </div>
    </div>
  );
}

/** Shows a frame without its artwork: only the four mounts are left. */
function EmptyFrame() {
  return (
    <svg viewBox="0 0 320 400" aria-hidden="true" className="w-full max-w-64 text-muted md:max-w-none">
      <rect x="1" y="1" width="318" height="398" fill="none" stroke="currentColor" strokeWidth="1" />
      <rect x="9" y="9" width="302" height="382" fill="none" stroke="currentColor" strokeWidth="0.5" />
      <g fill="none" stroke="currentColor" strokeWidth="0.75">
        <path d="M52 92V64h28M240 64h28v28M52 308v28h28M240 336h28v-28" />
        <path strokeDasharray="2 5" d="M80 64h160M268 92v216M240 336H80M52 308V92" />
      </g>
      <circle className="text-accent" cx="160" cy="33" r="2.5" fill="currentColor" />
    </svg>
  );
}
