import { type FormEvent, Suspense, useRef, useState } from 'react';
import { useAuth, useClient, usePageAuth } from '../../client/client-context.tsx';
import { hasLocalTexts, removeLocalTexts } from '../../client/local-texts.ts';
import { SESSION_PATH } from '../../client/take-session.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { forgetLikes } from '../../post/likes/wanted-likes.ts';
import { Button } from '../../ui/button.tsx';
import { loadLater } from '../../ui/load-later.ts';
import { notify } from '../../ui/toasts.tsx';

/** Few are asked: most pages do without it. */
const ConfirmDialog = loadLater(async () => (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog);

/** Signs in or out, and comes back to a path. It is a form, so that it works without JavaScript too. */
export function SessionButton({ returnTo }: { returnTo: string }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { status } = usePageAuth();
  const { user } = useAuth();
  const signedIn = status === 'authenticated';

  const form = useRef<HTMLFormElement>(null);
  const [leaving, setLeaving] = useState(false);
  /** The author who is asked before the drafts here go. */
  const [asked, setAsked] = useState<string>();

  const signOut = async () => {
    forgetLikes();
    await auth.signOut();
    // The notice is below the menu, where the button stands on a phone.
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover();
    notify({ title: noticeText(({ m }) => m.layout.signedOut) });
  };
  /** A shared computer keeps nothing of a draft: the author is asked first, and the draft goes with the session. */
  const askOrSignOut = async () => {
    if (user && (await hasLocalTexts(user.id))) setAsked(user.id);
    else await signOut();
  };
  const removeAndSignOut = async () => {
    if (asked) await removeLocalTexts(asked);
    setAsked(undefined);
    await signOut();
  };
  const leave = (act: () => Promise<void>) => {
    setLeaving(true);
    act().finally(() => setLeaving(false));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (leaving) return;
    if (signedIn) leave(askOrSignOut);
    else auth.login(`${window.location.pathname}${window.location.search}`);
  };

  return (
    <>
      <form
        ref={form}
        action={signedIn ? SESSION_PATH : '/auth'}
        method={signedIn ? 'post' : 'get'}
        onSubmit={submit}
      >
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
      {asked && (
        <Suspense>
          <ConfirmDialog
            open
            title={m.layout.confirmSignOut.title}
            description={m.layout.confirmSignOut.text}
            cancel={m.layout.confirmSignOut.stay}
            confirm={m.layout.signOut}
            busy={leaving}
            onConfirm={() => leave(removeAndSignOut)}
            onCancel={() => setAsked(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
