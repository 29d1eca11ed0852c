import { Link } from 'react-router';
import { buttonClass } from '../../ui/button-class.ts';

/** The way to another mail, where the link of the last one leads nowhere. */
export function MailAgain({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={`${buttonClass({ size: 'large' })} w-full`}>
      {children}
    </Link>
  );
}
