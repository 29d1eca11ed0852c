import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage } from '../forms/auth-page.tsx';

/** These results of a sign-in for others are shown in this window, at `/auth/complete?done=…`. */
const SIGN_IN_RESULTS = ['app', 'popup', 'opener-gone'] as const;
type SignInResult = (typeof SIGN_IN_RESULTS)[number];

export function resultPath(result: SignInResult): string {
  return `/auth/complete?done=${result}`;
}

export function readResult(query: URLSearchParams): SignInResult | undefined {
  return SIGN_IN_RESULTS.find((result) => result === query.get('done'));
}

/** Tells the reader where to go on, as nothing is left to do in this window. */
export function SignInResultPage({ result }: { result: SignInResult }) {
  const { title, text } = useLanguage().m.signIn.results[result];
  return <AuthPage title={title} lead={text} />;
}
