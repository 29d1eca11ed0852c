import { Lazy } from '../../../runtime/lazy.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ProviderSettings } from './provider-settings.ts';

/**
 * Creates the providers of the settings, in their order. A provider's code is loaded when it is first used.
 */
export function createProviders(settings: readonly ProviderSettings[]): IdentityProvider[] {
  return settings.map((one) => {
    const provider = new Lazy(() => create(one));
    return {
      id: one.id,
      label: one.label,
      respondsByPost: one.traits.respondsByPost,
      begin: async (flow) => (await provider.get()).begin(flow),
      finish: async (response) => (await provider.get()).finish(response),
    };
  });
}

async function create(settings: ProviderSettings): Promise<IdentityProvider> {
  if (settings.traits.protocol === 'github') {
    return (await import('./github.ts')).createGitHubProvider(settings);
  }
  return (await import('./openid-connect.ts')).createOpenIdConnectProvider(settings);
}
