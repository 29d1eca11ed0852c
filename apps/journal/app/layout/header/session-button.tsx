import type { FormEvent } from 'react';
import { useLocation } from 'react-router';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';

/** Signs in or out. It is a form, so that it leads to the sign-in page without JavaScript too. */
export function SessionButton() {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { status } = useAuth();
  const { pathname } = useLocation();
  const signedIn = status === 'authenticated';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signedIn) void auth.signOut();
    else auth.login(`${window.location.pathname}${window.location.search}`);
  };

  return (
    <form action="/auth" onSubmit={submit}>
      <input type="hidden" name="return_to" value={pathname} />
      <Button type="submit" variant="outline" size="small" className="w-full">
        {signedIn ? m.layout.signOut : m.layout.signIn}
      </Button>
    </form>
  );
}
