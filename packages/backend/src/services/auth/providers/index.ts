export { createProviders } from './create-providers.ts';
export type { IdentityProvider } from './identity-provider.ts';
export { type ProviderSettings, parseProviders } from './provider-settings.ts';
