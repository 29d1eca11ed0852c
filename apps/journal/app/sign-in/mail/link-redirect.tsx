import { Form, redirect } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';

/** Redirects to the page that a mail's token was made for, which uses the token up itself. */
export function redirectWithToken(
  redirectUrl: string,
  name: 'magic_token' | 'token',
  token: string,
): Response {
  const url = new URL(redirectUrl);
  url.searchParams.set(name, token);
  return redirect(url.href, 303);
}

/** Asks for that redirect by a button, as programs that scan mails follow links but press no buttons. */
export function RedirectForm({ site }: { site: string }) {
  const { m } = useLanguage();
  return (
    <Form method="post" reloadDocument>
      <Button type="submit" size="large" className="w-full">
        {m.authMail.link.continueTo(site)}
      </Button>
    </Form>
  );
}
