/** The pages that mails lead to, and those that ask for a mail. */
export const authMail = {
  send: {
    sending: 'Sending...',
    spam: 'Nothing there after a minute or two? Please look in your junk folder as well.',
    again: 'Send a new email',
    sentAgain: 'A new email is on its way. Only the code in the newest one counts.',
    otherAddress: 'Use another address',
  },
  code: {
    label: 'Six-digit code',
    hint: (minutes: number) => `You find it in the email; it is good for ${minutes} minutes.`,
    missing: 'Please enter the six digits from the email.',
    wrong: (tries: number) =>
      `This code is wrong or no longer good. After ${tries} wrong tries you need a new email.`,
  },
  link: {
    incompleteTitle: 'This link is incomplete',
    incomplete: 'Part of it is missing. Please open it from the email once more, or copy all of it.',
    usedTitle: 'This link no longer works',
    used: 'It has been used already, or its time is up.',
    onward: (site: string) => `Continue to ${site}`,
  },
  magic: {
    title: 'Sign in by email',
    metaDescription: 'Sign in with a link or a six-digit code that we send by email.',
    lead: 'We send you a link and a six-digit code: no password needed. If you have no account yet, this creates one.',
    send: 'Email me a sign-in link',
    sentTitle: 'Check your email',
    sent: (address: string) =>
      `An email is on its way to ${address}. Open the link in it, or type its code here.`,
    sentForCode: (address: string) => `An email is on its way to ${address}. Type its code here to go on.`,
    codeNeedsScript:
      'Signing in to this site, by code or by link, needs JavaScript, which is switched off in your browser.',
    signIn: 'Sign in',
    signingIn: 'Signing in...',
    linkTitle: 'Sign in',
    linkLead: 'Press the button to sign in. The link works once.',
    onwardLead: (site: string) =>
      `Press the button to go on to ${site}, which signs you in. The link works once.`,
    needsScript: 'Signing in here needs JavaScript, which is switched off in your browser.',
    askAgain: 'Get a new link',
    withPassword: 'Sign in with a password',
  },
  forgot: {
    title: 'Forgotten your password?',
    metaDescription: 'Set a new password with a link or a six-digit code that we send by email.',
    lead: 'Tell us your address, and we will send you a link and a six-digit code for setting a new one.',
    send: 'Send me the email',
    sentTitle: 'Check your email',
    sent: (address: string) =>
      `If there is an account with the address ${address}, an email is on its way. Open the link in it, or type its code here.`,
    back: 'Back to sign-in',
  },
  reset: {
    title: 'Set a new password',
    metaDescription: 'Set a new password for your account.',
    lead: 'This signs you out on all your devices.',
    newPassword: 'New password',
    passwordHint: 'At least 10 characters, and not one of the most common passwords.',
    passwordMissing: 'Please enter a new password.',
    save: 'Save the new password',
    saving: 'Saving...',
    doneTitle: 'Your password is changed',
    done: 'From now on you sign in with the new one. All your devices have been signed out.',
    signIn: 'Sign in',
    onwardLead: (site: string) => `You set the new password at ${site}.`,
    askAgain: 'Get a new email',
  },
  verify: {
    title: 'Verify your address',
    metaDescription: 'Verify the email address of your account.',
    lead: 'Press the button only if it was you who made an account with this address.',
    confirm: 'Verify my address',
    confirming: 'Verifying...',
    doneTitle: 'Your address is verified',
    done: 'Thank you. That was all.',
    failedTitle: 'This address could not be verified',
    failed:
      'The link has been used already, or its time is up. If your address is verified, there is nothing left to do; if not, ask for a new email on your account page.',
    toAccount: 'Go to my account',
    goOn: 'Continue',
  },
};
