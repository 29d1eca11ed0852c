import { useEffect } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { ProviderLink } from './other-methods.tsx';
import { authorizeUrl, type ProviderChoice } from './providers.ts';

interface ProviderRedirectProps {
  provider: ProviderChoice;
  target: SignInTarget;
  /** False while it is not known whether the reader is signed in and need not leave. */
  ready: boolean;
}

/** Leads to the provider that the URL names; without JavaScript the reader presses a link. */
export function ProviderRedirect({ provider, target, ready }: ProviderRedirectProps) {
  const { m } = useLanguage();
  const { projectId } = useClient();
  const url = authorizeUrl(provider.id, projectId, target);
  useEffect(() => {
    // This page does not stay in the history: going back to it would lead to the provider again.
    if (ready) window.location.replace(url);
  }, [url, ready]);
  return (
    <AuthPage title={m.signIn.title} lead={m.signIn.providers.leaving(provider.label)}>
      <ProviderLink provider={provider} target={target} />
      {!worksWithoutScript(target) && <NeedsScript />}
    </AuthPage>
  );
}
