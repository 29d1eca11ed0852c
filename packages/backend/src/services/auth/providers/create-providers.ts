import { Lazy } from '../../../runtime/lazy.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** A provider for each that the operator named, in their order. What they are made of is loaded when one is used. */
export function createProviders(settings: readonly ProviderSettings[]): IdentityProvider[] {
  return settings.map((one) => {
    const provider = new Lazy(() => create(one));
    return {
      id: one.id,
      label: one.label,
      answersByPost: one.traits.answersByPost,
      begin: async (flow) => (await provider.get()).begin(flow),
      finish: async (answer) => (await provider.get()).finish(answer),
    };
  });
}

async function create(settings: ProviderSettings): Promise<IdentityProvider> {
  if (settings.traits.protocol === 'github') {
    return (await import('./github.ts')).createGitHubProvider(settings);
  }
  return (await import('./openid-connect.ts')).createOpenIdConnectProvider(settings);
}
