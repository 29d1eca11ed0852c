import { type FormEvent, useState } from 'react';
import { useAuth, useClient, usePageAuth } from '../../client/client-context.tsx';
import { hasLocalTexts, removeLocalTexts } from '../../client/local-texts.ts';
import { SESSION_PATH } from '../../client/take-session.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { forgetLikes } from '../../post/likes/wanted-likes.ts';
import { Button } from '../../ui/button.tsx';

/** Signs in or out, and comes back to a path. It is a form, so that it works without JavaScript too. */
export function SessionButton({ returnTo }: { returnTo: string }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { status } = usePageAuth();
  const { user } = useAuth();
  const signedIn = status === 'authenticated';

  const [leaving, setLeaving] = useState(false);

  /** A shared computer keeps nothing of a draft: the author is asked first, and the draft goes with the session. */
  const signOut = async () => {
    const authorId = user?.id;
    if (authorId && (await hasLocalTexts(authorId))) {
      if (!window.confirm(m.layout.confirmSignOut)) return;
      await removeLocalTexts(authorId);
    }
    forgetLikes();
    await auth.signOut();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (leaving) return;
    if (signedIn) {
      setLeaving(true);
      signOut().finally(() => setLeaving(false));
    } else auth.login(`${window.location.pathname}${window.location.search}`);
  };

  return (
    <form action={signedIn ? SESSION_PATH : '/auth'} method={signedIn ? 'post' : 'get'} onSubmit={submit}>
      {signedIn && <input type="hidden" name="intent" value="sign-out" />}
      <input type="hidden" name="return_to" value={returnTo} />
      <Button
        type="submit"
        variant="outline"
        size="small"
        aria-disabled={leaving || undefined}
        className="w-full aria-disabled:opacity-55"
      >
        {leaving ? m.layout.signingOut : signedIn ? m.layout.signOut : m.layout.signIn}
      </Button>
    </form>
  );
}
