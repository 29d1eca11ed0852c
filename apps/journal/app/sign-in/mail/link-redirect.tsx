import { redirect } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';

/** Sends the reader on with a link's token, unspent, for the page that it was made for to spend. */
export function sendOnward(redirectUrl: string, name: 'magic_token' | 'token', token: string): Response {
  const address = new URL(redirectUrl);
  address.searchParams.set(name, token);
  return redirect(address.href, 303);
}

/** The button in front of that: programs that look through mails follow links, but press no buttons. */
export function OnwardForm({ site }: { site: string }) {
  const { m } = useLanguage();
  return (
    <form method="post">
      <input type="hidden" name="intent" value="onward" />
      <Button type="submit" size="large" className="w-full">
        {m.authMail.link.onward(site)}
      </Button>
    </form>
  );
}
