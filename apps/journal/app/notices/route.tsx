import '../language/member-messages.ts';
import { type FabricaClient, ValidationError } from '@fabrica/client';
import { type FormEvent, useState } from 'react';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { buildUnlisted } from '../layout/metadata.ts';
import { AuthPage, FormAlert, LargeLink } from '../sign-in/forms/auth-page.tsx';
import { readFormData } from '../sign-in/forms/form-fields.ts';
import { IncompleteLink } from '../sign-in/forms/incomplete-link.tsx';
import { useOneAtATime } from '../sign-in/forms/use-one-at-a-time.ts';
import { Button } from '../ui/button.tsx';
import type { Route } from './+types/route.ts';

type Scope = 'one' | 'all';
/** Names the scope that was stopped, or why nothing was stopped. */
type Outcome = Scope | 'incomplete' | 'failed';

/** Stops the mails for readers without JavaScript. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const { notifications } = context.get(backendContext).client;
  const scope = (await readFormData(request)).get('scope') === 'one' ? 'one' : 'all';
  const outcome = await stop(notifications, url.searchParams.get('token') ?? '', scope);
  return data(outcome, { status: outcome === scope ? 200 : 400 });
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/notices', ({ authMail }) => authMail.notices);
}

/** Stops mails about comments, by a link in them. Nothing is stopped before a button is pressed. */
export default function StopNoticesRoute({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const texts = m.authMail.notices;
  const { notifications } = useClient();
  const [query] = useSearchParams();
  const token = query.get('token');
  const [outcome, setOutcome] = useState<Outcome | undefined>(actionData);
  const { busy, run } = useOneAtATime<Scope>();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!token) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const scope = submitter instanceof HTMLButtonElement && submitter.value === 'one' ? 'one' : 'all';
    void run(scope, async () => setOutcome(await stop(notifications, token, scope)));
  };

  if (!token || outcome === 'incomplete') return <IncompleteLink to="/account" label={texts.toAccount} />;
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
      <form method="post" onSubmit={submit} className="grid gap-3">
        <Button type="submit" name="scope" value="one" size="large" busy={busy === 'one'} className="w-full">
          {busy === 'one' ? texts.stopping : texts.one}
        </Button>
        <Button
          type="submit"
          name="scope"
          value="all"
          size="large"
          variant="outline"
          busy={busy === 'all'}
          className="w-full"
        >
          {busy === 'all' ? texts.stopping : texts.all}
        </Button>
      </form>
    </AuthPage>
  );
}

async function stop(
  notifications: FabricaClient['notifications'],
  token: string,
  scope: Scope,
): Promise<Outcome> {
  try {
    await notifications.stop(token, scope);
    return scope;
  } catch (error) {
    return error instanceof ValidationError ? 'incomplete' : 'failed';
  }
}
