/** A person as an identity provider describes them. */
export interface Identity {
  /** Unique within this provider, and never changes. */
  subject: string;
  email: string | null;
  /** True only when the provider says that it has verified the e-mail. */
  emailVerified: boolean;
  name: string | null;
  pictureUrl: string | null;
}

/** The secrets of a sign-in that is under way. Only what `begin` sends leaves this server. */
export interface ProviderFlow {
  /** The callback URL that is registered at the provider. */
  redirectUri: string;
  state: string;
  nonce: string;
  /** 43 to 128 characters (RFC 7636); only its hash leaves with the browser. */
  codeVerifier: string;
}

export interface ProviderResponse extends ProviderFlow {
  /** The URL that the browser came back to, with the provider's parameters in its query. */
  callback: URL;
  /** The form that the browser posted, for a provider that responds by POST. */
  form?: URLSearchParams;
}

/** An identity provider. */
export interface IdentityProvider {
  /** The name in URLs and in `GET /api/auth/providers`. */
  id: string;
  /** The name that people know it by. */
  label: string;
  /** Whether the browser comes back with a POST from the provider's page. */
  respondsByPost: boolean;
  /** Returns the URL to redirect the browser to. Throws `NETWORK_ERROR`. */
  begin(flow: ProviderFlow): Promise<URL>;
  /**
   * Returns who signed in. Throws `POPUP_CANCELED` when the person canceled, `VERIFICATION_FAILED` when
   * state, nonce or code do not belong to this flow, and `NETWORK_ERROR` when the provider cannot be reached
   * or its response cannot be used.
   */
  finish(response: ProviderResponse): Promise<Identity>;
}
