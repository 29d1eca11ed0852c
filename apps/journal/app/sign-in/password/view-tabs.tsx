import { Link, useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import type { SignInView } from './sign-in-fields.ts';

/** Switches between signing in and creating an account. Each has its own URL, so that it works without JavaScript. */
export function ViewTabs({ current }: { current: SignInView }) {
  const { m } = useLanguage();
  return (
    <nav aria-label={m.signIn.views} className="mb-8 grid grid-cols-2 border-b border-hairline">
      <ViewLink to="sign-in" current={current}>
        {m.signIn.signInTab}
      </ViewLink>
      <ViewLink to="sign-up" current={current}>
        {m.signIn.signUpTab}
      </ViewLink>
    </nav>
  );
}

export function viewOf(query: URLSearchParams): SignInView {
  return query.get('view') === 'sign-up' ? 'sign-up' : 'sign-in';
}

/** Links to a view. The query keeps the target, and loses an earlier error and the choice of a provider. */
function ViewLink({ to, current, children }: { to: SignInView; current: SignInView; children: string }) {
  const [query] = useSearchParams();
  const next = new URLSearchParams(query);
  for (const name of ['view', 'error', 'provider']) next.delete(name);
  if (to === 'sign-up') next.set('view', to);
  return (
    <Link
      to={{ search: next.toString() }}
      replace
      preventScrollReset
      aria-current={to === current ? 'page' : undefined}
      className="tab-line grid min-h-12 place-items-center px-2 text-center text-[0.9375rem] font-medium text-muted transition-colors hover:text-ink aria-[current]:text-ink"
    >
      {children}
    </Link>
  );
}
