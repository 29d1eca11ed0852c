import type { BackendPages } from '../src/index.ts';

/** Pages of a product, for tests that look at links. */
export const testPages: BackendPages = {
  signIn: '/auth',
  completeSignIn: '/auth/complete',
  verifyEmail: '/auth/verify',
  magicLink: '/auth/magic',
  resetPassword: '/auth/reset',
  stopNotices: '/auth/notices',
};
