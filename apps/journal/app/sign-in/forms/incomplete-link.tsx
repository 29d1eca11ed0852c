import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage, LargeLink } from './auth-page.tsx';

interface IncompleteLinkProps {
  /** The page where another mail can be requested. */
  to: string;
  label: string;
}

/** Explains that a link has lost its token, as happens when only a part of it is copied. */
export function IncompleteLink({ to, label }: IncompleteLinkProps) {
  const { link } = useLanguage().m.authMail;
  return (
    <AuthPage title={link.incompleteTitle} lead={link.incomplete}>
      <LargeLink to={to}>{label}</LargeLink>
    </AuthPage>
  );
}
