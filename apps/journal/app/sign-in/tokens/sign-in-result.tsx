import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import type { Ending } from './endings.ts';

/** Nothing is left to do here: where the reader goes on. */
export function SignInEnding({ ending }: { ending: Ending }) {
  const { m } = useLanguage();
  const { title, text } = m.signIn.endings[ending];
  return <AuthPage title={title} lead={text} />;
}
