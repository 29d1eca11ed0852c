import { Link, useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { carryOn } from '../request/continuation-query.ts';

/** To the sign-in, with the new password, for what one came for. */
export function SignInAgain() {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  return (
    <Link to={carryOn('/auth', query)} className={`${buttonClass({ size: 'large' })} w-full`}>
      {m.authMail.reset.signIn}
    </Link>
  );
}
