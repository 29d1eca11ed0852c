import type { AuthErrorCode } from '@fabrica/contract';

/** The text for each error code of the server; `default` is for any other error. */
type AuthErrorTexts = Record<AuthErrorCode | 'default', string>;

const errors: AuthErrorTexts = {
  INVALID_CREDENTIALS: 'Invalid email or password. Please try again.',
  EMAIL_NOT_VERIFIED: 'Please verify your email address before signing in.',
  POPUP_CANCELED: 'Sign-in was canceled. Please try again.',
  NETWORK_ERROR: 'Network error. Please check your connection and try again.',
  RATE_LIMITED: 'Too many attempts. Please wait a moment and try again.',
  AUTH_TIMEOUT: 'Authentication timed out. Please try again.',
  REDIRECT_FAILED: 'We could not take you to the sign-in page. Please try again.',
  TOKEN_EXPIRED: 'Session expired. Please sign in again.',
  USER_NOT_FOUND: 'We could not find this account.',
  EMAIL_ALREADY_EXISTS: 'An account with this email already exists.',
  WEAK_PASSWORD: 'Please choose a password of 10 to 200 characters that is not a common one.',
  INVALID_EMAIL: 'Please enter a valid email address.',
  MAGIC_LINK_EXPIRED: 'Magic link has expired. Please request a new one.',
  VERIFICATION_FAILED: 'We could not verify this email address. Please request a new link.',
  SECOND_FACTOR_REQUIRED: 'This account asks for a second step. Please sign in on the site’s own page.',
  SECOND_FACTOR_FAILED: 'This code or passkey is not valid. Please try again.',
  default: 'Authentication error. Please try again.',
};

export const signIn = {
  title: 'Sign in',
  signUpTitle: 'Create an account',
  metaDescription: 'Sign in to publish, like and comment.',
  lead: 'Sign in to publish, like and comment.',
  signUpLead: 'An account lets you publish, like and comment.',
  signUpMail: 'We send you an email so that you can verify your address.',
  continueTo: (site: string) => `Sign in to continue to ${site}.`,
  views: 'Sign in or create an account',
  signInTab: 'Sign in',
  signUpTab: 'Create account',
  name: 'Name',
  nameTooLong: 'Please use 100 characters at most.',
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 10 characters.',
  passwordMissing: 'Please enter your password.',
  showPassword: 'Show password',
  signIn: 'Sign in',
  welcome: { title: 'Welcome', firstPost: 'Write your first post' },
  signingIn: 'Signing in...',
  signUp: 'Create account',
  signingUp: 'Creating the account...',
  alreadySignedIn: 'You are signed in. One moment...',
  verified: 'Your address is verified. You can sign in now.',
  otherWays: 'or',
  magicLink: 'Email me a sign-in link',
  forgotten: 'Forgotten your password?',
  providers: {
    continueWith: (provider: string) => `Continue with ${provider}`,
    leaving: (provider: string) => `Taking you to ${provider}...`,
    notOffered: (provider: string) =>
      `Signing in with ${provider} is not offered here. Please choose another way.`,
  },
  forApp: 'You are signing in for an app. Go on only if you have just asked for it there.',
  verify: {
    title: 'Check your email',
    lead: (email: string) =>
      `We have sent a code to ${email}. Type it here to verify that the address is yours.`,
    submit: 'Verify and go on',
    submitting: 'Verifying...',
    sentAgain: 'A new code is on its way. Only the newest one counts.',
  },
  complete: {
    title: 'Signing you in',
    wait: 'One moment...',
    appTitle: 'Sign in to the app?',
    appGoOn: 'Sign in to the app',
    goOn: 'Go on',
    failedTitle: 'That did not work',
    failed:
      'This sign-in could not be finished: it has been used already, or it took too long. Please sign in again.',
    again: 'Back to sign-in',
    close: 'You can close this window.',
  },
  results: {
    app: { title: 'You are signed in', text: 'You can go back to the app.' },
    popup: { title: 'You are signed in', text: 'You can close this window.' },
    'opener-gone': {
      title: 'The page that asked is gone',
      text: 'The window that asked you to sign in is no longer open. Close this one, and sign in there again.',
    },
  },
  back: 'Back to gallery',
  refused: {
    title: 'This sign-in link cannot be used',
    origin:
      'It asks us to send you on to an address that is not on this site’s list of allowed addresses. For your safety, we stop here.',
    project: 'It was made for another project.',
    mode: 'It asks for a way of signing in that this site does not offer.',
    session: 'It names no valid session of an app.',
  },
  errors,
};
