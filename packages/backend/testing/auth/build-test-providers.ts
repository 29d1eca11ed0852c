import {
  type IdentityProviderOptions,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@fabrica/test-peers/identity-provider.ts';
import { createProviders } from '../../src/services/auth/providers/create-providers.ts';
import { parseProviders } from '../../src/services/auth/providers/provider-settings.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';
import { buildTestAuth, type TestAuth, type TestAuthOptions } from './build-test-auth.ts';
import { buildTestBrowser, HOME, type OpenedPage, type TestBrowser } from './build-test-browser.ts';

export interface TestProviders {
  test: TestAuth;
  issuer: TestIdentityProvider;
  browser: TestBrowser;
  /**
   * Signs in at the provider and returns the page of the product that the browser ends at. `query` is added
   * to `/authorize`.
   */
  comeBackAs(login: string, query?: Record<string, string>, browser?: TestBrowser): Promise<OpenedPage>;
  /** Signs in completely and returns the response of `/complete`. */
  signInAs(login: string): Promise<TestResponse>;
  close(): Promise<void>;
}

/** Creates the providers of an operator's settings. */
export function buildProviders(environment: Record<string, string>) {
  const faults: string[] = [];
  const providers = createProviders(parseProviders(environment, faults));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return providers;
}

export function authorizeUrl(query: Record<string, string> = {}): string {
  const all = { provider: 'hospital', project_id: 'journal', ...query };
  return `/api/auth/authorize?${new URLSearchParams(all)}`;
}

/**
 * Builds the auth routes with a real issuer, called "hospital" (and "clinic" for another client), and a
 * browser.
 */
export async function buildTestProviders({
  accounts,
  clientAuth,
  claimsInIdToken,
  ...options
}: Pick<IdentityProviderOptions, 'accounts' | 'clientAuth' | 'claimsInIdToken'> &
  Omit<TestAuthOptions, 'providers'>): Promise<TestProviders> {
  const issuer = await startIdentityProvider({
    clientId: 'fabrica',
    redirectUris: [`${HOME}/api/auth/callback/hospital`],
    accounts,
    ...(clientAuth && { clientAuth }),
    ...(claimsInIdToken && { claimsInIdToken }),
  });
  const providers = buildProviders({
    OAUTH_CLINIC_ISSUER: issuer.issuer,
    OAUTH_CLINIC_CLIENT_ID: 'of-the-clinic',
    OAUTH_HOSPITAL_ISSUER: issuer.issuer,
    OAUTH_HOSPITAL_CLIENT_ID: issuer.clientId,
    ...(clientAuth !== 'none' && { OAUTH_HOSPITAL_CLIENT_SECRET: issuer.clientSecret }),
  });
  const test = await buildTestAuth({ ...options, providers });
  const browser = buildTestBrowser(test);

  async function comeBackAs(login: string, query: Record<string, string> = {}, own = browser) {
    const page = await own.open(authorizeUrl(query));
    const action = /action="([^"]+)"/.exec(page.text)?.[1];
    // The browser is signed in at the provider already.
    if (!action) return page;
    return own.open(new URL(action, page.url), { form: { login } });
  }

  return {
    test,
    issuer,
    browser,
    comeBackAs,
    async signInAs(login) {
      const own = buildTestBrowser(test);
      const { url } = await comeBackAs(login, {}, own);
      const response = await own.send('/api/auth/complete', {
        json: { code: url.searchParams.get('code') },
      });
      return readTestResponse(response);
    },
    async close() {
      await issuer.close();
      await test.close();
    },
  };
}
