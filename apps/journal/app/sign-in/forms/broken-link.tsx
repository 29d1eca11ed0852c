import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage } from './auth-page.tsx';
import { MailAgain } from './mail-again.tsx';

export interface IncompleteLinkProps {
  /** Where another mail is to be had, and the words for it. */
  to: string;
  label: string;
}

/** A link that lost its token on the way. */
export function IncompleteLink({ to, label }: IncompleteLinkProps) {
  const { m } = useLanguage();
  return (
    <AuthPage title={m.authMail.link.incompleteTitle} lead={m.authMail.link.incomplete}>
      <MailAgain to={to}>{label}</MailAgain>
    </AuthPage>
  );
}
