import { NAMED } from '../../project/notice-kinds.ts';
import '../language/member-messages.ts';
import type { FabricaClient } from '@fabrica/client';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { pageClient } from '../client/page-client.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { AuthPage, FormAlert, LargeLink } from '../sign-in/forms/auth-page.tsx';
import { clientErrorCode } from '../sign-in/forms/form-errors.ts';
import { readFormData } from '../sign-in/forms/form-fields.ts';
import { IncompleteLink } from '../sign-in/forms/incomplete-link.tsx';
import { Button } from '../ui/button.tsx';
import { useActionForm } from '../ui/use-action-form.ts';
import type { Route } from './+types/route.ts';

interface Result {
  /** Names what was stopped, or why nothing was stopped. */
  outcome: 'one' | 'all' | 'incomplete' | 'failed';
}

export async function action({ context, request, url }: Route.ActionArgs) {
  return stop(context.get(backendContext).client, await readFormData(request), url);
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return stop(pageClient(), await request.formData(), new URL(request.url));
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/notices', ({ authMail }) => authMail.notices);
}

/** Stops mails about comments or bylines, by a link in them. Nothing is stopped before a button is pressed. */
export default function StopNoticesRoute({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const isNamed = query.get('kind') === NAMED;
  const texts = { ...m.authMail.notices, ...(isNamed && m.authMail.notices.named) };
  const { Form, props, busy, result } = useActionForm<Result>(actionData);
  const outcome = result?.outcome;

  if (!query.get('token') || outcome === 'incomplete')
    return <IncompleteLink to="/account" label={texts.toAccount} />;
  if (outcome === 'one' || outcome === 'all') {
    return (
      <AuthPage title={texts.doneTitle} lead={outcome === 'one' ? texts.doneOne : texts.doneAll}>
        <LargeLink to="/account#notices">{texts.toAccount}</LargeLink>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <FormAlert>{outcome === 'failed' ? m.signIn.errors.default : undefined}</FormAlert>
      <Form {...props} className="grid gap-3">
        {!isNamed && (
          <Button
            type="submit"
            name="intent"
            value="one"
            size="large"
            busy={busy === 'one'}
            className="w-full"
          >
            {busy === 'one' ? texts.stopping : texts.one}
          </Button>
        )}
        <Button
          type="submit"
          name="intent"
          value="all"
          size="large"
          variant="outline"
          busy={busy === 'all'}
          className="w-full"
        >
          {busy === 'all' ? texts.stopping : texts.all}
        </Button>
      </Form>
    </AuthPage>
  );
}

/** Stops the mails that the token of the page's URL is about, or all. */
async function stop({ notifications }: FabricaClient, fields: FormData, { searchParams }: URL) {
  const scope = fields.get('intent') === 'one' ? 'one' : 'all';
  try {
    await notifications.stop(searchParams.get('token') ?? '', scope);
    return data<Result>({ outcome: scope });
  } catch (error) {
    const outcome = clientErrorCode(error) === 'VALIDATION_FAILED' ? 'incomplete' : 'failed';
    return data<Result>({ outcome }, { status: 400 });
  }
}
