import type { EmailClaim } from '@fabrica/contract';
import {
  type AuthClientOptions,
  type MailOptions,
  type MailProof,
  optionalBearer,
} from './auth-client-options.ts';

/** Manages an account's password and e-mail address. */
export interface CredentialsClient {
  /** Sends a mail with a link and a code for a new password. The result is the same if no account has this e-mail. */
  sendPasswordReset(email: string, options?: MailOptions): Promise<void>;
  /** Ends all sessions of the account. Throws VERIFICATION_FAILED or WEAK_PASSWORD. */
  confirmPasswordReset(proof: MailProof, password: string): Promise<void>;
  /** Ends the account's other sessions. Throws INVALID_CREDENTIALS if the old one is wrong, or WEAK_PASSWORD. */
  changePassword(oldPassword: string, newPassword: string): Promise<void>;
  /** Sends a mail with a link and a code to the signed-in user. */
  sendEmailVerification(): Promise<void>;
  /**
   * Works without a session; if there is one, its user is loaded again. Throws VERIFICATION_FAILED, WEAK_PASSWORD, or
   * INVALID_CREDENTIALS for a password that is wrong or would end.
   */
  verifyEmail(proof: MailProof, claim?: EmailClaim): Promise<void>;
}

export function createCredentialsClient({ session, send, projectId }: AuthClientOptions): CredentialsClient {
  const post = (path: string, json: Record<string, unknown>) =>
    ({ service: 'auth', method: 'POST', path: `/api/auth/${path}`, json }) as const;

  return {
    async sendPasswordReset(email, { redirectUrl, returnTo } = {}) {
      await send(post('password/reset', { email, projectId, redirectUrl, returnTo }));
    },
    async confirmPasswordReset(proof, password) {
      await send(post('password/reset/confirm', { ...proof, password, projectId }));
    },
    async changePassword(oldPassword, newPassword) {
      await session.http.request(post('password/change', { oldPassword, newPassword }));
    },
    async sendEmailVerification() {
      await session.http.request(post('email/verify/send', {}));
    },
    async verifyEmail(proof, claim) {
      await send(post('email/verify', { ...proof, ...claim, projectId }), await optionalBearer(session));
      if (!(await session.stored())) return;
      await session.me().catch(() => {
        // The e-mail address is verified; the state shows it after the next load.
      });
    },
  };
}
