/**
 * The texts of mails. No page shows them, so they are not among the `messages` that each browser fetches; `app/mails`
 * imports them by itself. A `time` is written in words: `10 minutes`.
 */
export const mails = {
  linkLead: 'If the button does not work, copy this address into your browser:',
  linkValid: (time: string) => `This link is valid for ${time} and can be used once.`,
  codeLead: 'Or type this code on the page that asks for it:',
  codeValid: (time: string) => `The code is valid for ${time}.`,
  neverAsked: 'We never ask for this code by phone, by email or in a chat. Please do not pass it on.',
  'verify-email': {
    subject: (site: string) => `Verify your email address for ${site}`,
    title: 'Verify your email address',
    lead: (site: string) =>
      `An account was made at ${site} with this email address. Please verify it only if that was you.`,
    button: 'Verify address',
    ignore:
      'If it was not you, do not verify it: somebody else would have an account in your name. Just ignore this email.',
  },
  'magic-link': {
    subject: (site: string) => `Your sign-in link for ${site}`,
    title: 'Sign in',
    lead: (site: string) =>
      `This link signs you in at ${site}. If there is no account for this address yet, one will be created.`,
    button: 'Sign in',
    ignore:
      'If it was not you who asked for it, just ignore this email: nobody gets in without the link or the code.',
  },
  'reset-password': {
    subject: (site: string) => `A new password for ${site}`,
    title: 'Set a new password',
    lead: (site: string) => `A new password was requested for your account at ${site}.`,
    button: 'Set a new password',
    ignore: 'If it was not you, just ignore this email: your password stays as it is.',
  },
  'new-comments': {
    subject: (count: number, post: string) =>
      count === 1 ? `A new comment on “${post}”` : `${count} new comments on “${post}”`,
    title: (count: number) => (count === 1 ? 'A new comment' : `${count} new comments`),
    lead: (post: string) => `On your post “${post}”:`,
    more: (count: number) => (count === 1 ? 'And one more.' : `And ${count} more.`),
    button: 'Read and answer',
    why: 'You get this email because the post is yours: one an hour at most, with all that came meanwhile.',
    stop: 'Stop these emails',
  },
};
