import { createGitHubProvider } from './github.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createOpenIdConnectProvider } from './openid-connect.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** A provider for each that the operator named, in their order. */
export function createProviders(settings: readonly ProviderSettings[]): IdentityProvider[] {
  return settings.map((one) =>
    one.traits.protocol === 'github' ? createGitHubProvider(one) : createOpenIdConnectProvider(one),
  );
}
