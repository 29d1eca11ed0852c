import { useEffect } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { isDeliverable } from '../tokens/deliver-tokens.ts';
import { ProviderLink } from './other-methods.tsx';
import { authorizeAddress, type ProviderChoice } from './providers.ts';

export interface DepartureProps {
  provider: ProviderChoice;
  request: ServedRequest;
  /** False while somebody may turn out to be signed in, who need not leave. */
  ready: boolean;
}

/** On the way to the provider that the page was asked for; without a script, one press away. */
export function Departure({ provider, request, ready }: DepartureProps) {
  const { m } = useLanguage();
  const { projectId } = useClient();
  const address = authorizeAddress(provider.id, projectId, request);
  useEffect(() => {
    // This page takes no place in the history: coming back to it would lead away again.
    if (ready) window.location.replace(address);
  }, [address, ready]);
  return (
    <AuthPage title={m.signIn.title} lead={m.signIn.providers.leaving(provider.label)}>
      <ProviderLink provider={provider} request={request} />
      {!isDeliverable(request) && <NeedsScript />}
    </AuthPage>
  );
}
