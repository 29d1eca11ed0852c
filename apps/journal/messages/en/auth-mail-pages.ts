/** The texts of the pages that mails lead to, and of those that request a mail. */
export const authMail = {
  send: {
    sending: 'Sending...',
    spam: 'Nothing there after a minute or two? Please look in your junk folder as well.',
    code: 'Get a code',
    again: 'Get a new code',
    sentAgain: 'A new email is on its way. Only the code in the newest one counts.',
    otherEmail: 'Use another address',
  },
  /** For a site without a mail server. */
  unsent: {
    lead: 'This site sends no emails: it has no mail server. Its operator can give you the link or the code instead.',
    requested:
      'No email comes, as this site has no mail server. Please ask its operator for the code, and type it here.',
    byLink: 'No email comes, as this site has no mail server. Please ask its operator for the link.',
    magic: 'Sign in with a link or a code',
    password:
      'You have no password yet, or cannot remember it? This site sends no emails; its operator can give you a link that lets you choose a new one.',
    link: 'Get a link',
    newest: 'Only the newest code counts.',
    none: 'This site has no mail server so far, so none of them are sent.',
  },
  code: {
    label: 'Code',
    hint: (minutes: number) => `It is good for ${minutes} minutes.`,
    missing: 'Please enter all digits of the code.',
    tooMany: 'Too many codes were tried. Please use the link, or wait a while.',
    wrong: (tries: number) =>
      `This code is wrong or no longer good. After ${tries} wrong tries you need a new one.`,
  },
  link: {
    incompleteTitle: 'This link is incomplete',
    incomplete: 'Part of it is missing. Please open it from the email once more, or copy all of it.',
    usedTitle: 'This link no longer works',
    used: 'It has been used already, or its time is up.',
    continueTo: (site: string) => `Continue to ${site}`,
  },
  magic: {
    title: 'Sign in by email',
    metaDescription: 'Sign in with a link or a code that we send by email.',
    lead: 'We send you a link and a code: no password needed. If you have no account yet, this creates one.',
    send: 'Email me a sign-in link',
    sentTitle: 'Check your email',
    sent: (email: string) =>
      `An email is on its way to ${email}. Open the link in it, or type its code here.`,
    sentForCode: (email: string) => `An email is on its way to ${email}. Type its code here to go on.`,
    signIn: 'Sign in',
    signingIn: 'Signing in...',
    linkTitle: 'Sign in',
    linkLead: 'Press the button to sign in. The link works once.',
    redirectLead: (site: string) =>
      `Press the button to go on to ${site}, which signs you in. The link works once.`,
    requestAgain: 'Get a new link',
    withPassword: 'Sign in with a password',
  },
  forgot: {
    title: 'Forgotten your password?',
    metaDescription: 'Set a new password with a link or a code that we send by email.',
    lead: 'Tell us your address, and we will send you a link and a code for setting a new one.',
    send: 'Send me the email',
    sentTitle: 'Check your email',
    sent: (email: string) =>
      `If there is an account with the address ${email}, an email is on its way. Open the link in it, or type its code here.`,
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
    redirectLead: (site: string) => `You set the new password at ${site}.`,
    requestAgain: 'Get a new link',
  },
  /** For an account whose address was never verified, before its password ends. */
  claim: {
    title: 'Before you go on',
    lead: 'Nobody has shown until now that this address is theirs. Its account has a password, which you or a stranger chose. If you go on without that password, it no longer works, and everybody who is signed in to the account is signed out.',
    passwordHint: 'With it, everything stays as it is.',
    newPassword: 'Or a new password',
    newPasswordHint: 'If you leave both fields empty, the account has no password, and you sign in by email.',
  },
  verify: {
    title: 'Verify your address',
    metaDescription: 'Verify the email address of your account.',
    lead: 'Press the button to show that this address is yours.',
    confirm: 'Verify my address',
    confirming: 'Verifying...',
    doneTitle: 'Your address is verified',
    done: 'Thank you. That was all.',
    failedTitle: 'This address could not be verified',
    failed:
      'The link has been used already, or its time is up. If your address is verified, there is nothing left to do; if not, ask for a new one on your account page.',
    toAccount: 'Go to my account',
    password: 'The password that you chose',
    passwordWrong: 'This is not the password of the account.',
    doneWithoutPassword:
      'The address is yours alone now: everybody who was signed in to the account is signed out, and its password no longer works. Sign in by email, and set a password of your own if you like.',
    doneNewPassword:
      'The address is yours alone now: everybody who was signed in to the account is signed out. From now on, your new password signs you in.',
    toSignIn: 'Sign in by email',
    goOn: 'Continue',
  },
  notices: {
    title: 'Emails about new comments',
    metaDescription: 'Stop emails about new comments on your posts.',
    lead: 'For which posts do you want none of them any more? You can change that in your account.',
    one: 'For this post',
    all: 'For all my posts',
    stopping: 'One moment...',
    doneTitle: 'These emails are stopped',
    doneOne: 'You get no more emails about new comments on this post.',
    doneAll: 'You get no more emails about new comments on your posts.',
    toAccount: 'Go to my account',
    named: {
      title: 'Emails about posts that name you',
      lead: 'Do you want none of them any more? You can change that in your account.',
      all: 'Stop them',
      doneAll: 'You get no more emails about posts that name you.',
    },
  },
};
