/** Who somebody is, as an identity provider says. */
export interface Identity {
  /** Never changes and never belongs to somebody else, within this provider. */
  subject: string;
  email: string | null;
  /** True only when the provider says that the address is the person's own. */
  emailVerified: boolean;
  name: string | null;
  pictureUrl: string | null;
}

/** What a sign-in under way is made of; known to us alone, save for what `begin` sends along. */
export interface ProviderFlow {
  /** Where the provider sends the browser back to: ours, as it is registered there. */
  redirectUri: string;
  state: string;
  nonce: string;
  /** 43 to 128 characters (RFC 7636); only its hash leaves with the browser. */
  codeVerifier: string;
}

export interface ProviderResponse extends ProviderFlow {
  /** The address that the browser came back to, with the provider's parameters in its query. */
  callback: URL;
  /** What the browser posted, from a provider that has it do so. */
  form?: URLSearchParams;
}

/** An identity provider: it sends the browser away, and says who came back. */
export interface IdentityProvider {
  /** As addresses and `GET /api/auth/providers` name it. */
  id: string;
  /** As people know it. */
  label: string;
  /** The browser comes back with a POST from the provider's page. */
  respondsByPost: boolean;
  /** The address to send the browser to. Throws NETWORK_ERROR. */
  begin(flow: ProviderFlow): Promise<URL>;
  /**
   * Throws POPUP_CANCELED when the person turned back, VERIFICATION_FAILED when state, nonce or code are not those of
   * this flow, NETWORK_ERROR when the provider cannot be reached or says nothing of use.
   */
  finish(response: ProviderResponse): Promise<Identity>;
}
