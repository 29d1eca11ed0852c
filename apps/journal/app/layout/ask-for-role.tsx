import { Link } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';

/** Tells somebody whose role does not publish, before anything is written or uploaded, and whom to ask. */
export function AskForRole() {
  const { m } = useLanguage();
  const { failure, askForRole } = m.publish;
  return (
    <p className="max-w-2xl border-y border-hairline py-4 text-lg">
      {failure.forbidden} {askForRole.text}{' '}
      <Link to="/contact" className="underline underline-offset-4 hover:text-accent">
        {askForRole.contact}
      </Link>
    </p>
  );
}
