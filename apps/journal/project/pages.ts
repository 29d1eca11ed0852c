import type { BackendPages } from '@fabrica/backend';

/** The journal's pages that links of the backend lead to. */
export const pages: BackendPages = {
  signIn: '/auth',
  completeSignIn: '/auth/complete',
  verifyEmail: '/auth/verify',
  magicLink: '/auth/magic',
  resetPassword: '/auth/reset',
  stopNotices: '/auth/notices',
};
