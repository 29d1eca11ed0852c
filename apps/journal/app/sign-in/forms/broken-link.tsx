import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage, LargeLink } from './auth-page.tsx';

export interface BrokenLinkProps {
  /** The page where another mail can be requested. */
  to: string;
  label: string;
}

/** Explains that a link has lost its token, as happens when only a part of it is copied. */
export function IncompleteLink({ to, label }: BrokenLinkProps) {
  const { link } = useLanguage().m.authMail;
  return (
    <AuthPage title={link.incompleteTitle} lead={link.incomplete}>
      <LargeLink to={to}>{label}</LargeLink>
    </AuthPage>
  );
}

/** Explains that a link was used before or has expired. */
export function UsedLink({ to, label }: BrokenLinkProps) {
  const { link } = useLanguage().m.authMail;
  return (
    <AuthPage title={link.usedTitle} lead={link.used}>
      <LargeLink to={to}>{label}</LargeLink>
    </AuthPage>
  );
}
