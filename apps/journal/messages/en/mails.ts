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
    ignore: 'If it was not you, just ignore this email.',
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
  'confirm-change': {
    subject: (site: string) => `A code to confirm a change at ${site}`,
    title: 'Confirm a change',
    lead: (host: string) =>
      `Somebody who is signed in to your account at ${host} wants to change it. This code confirms it:`,
    ignore:
      'If it was not you, do not pass the code on: sign out everywhere on the account page and set a new password.',
  },
  /** The end of every mail that tells what has happened in an account. */
  ownerNotice: {
    when: (date: string) => `When: ${date}`,
    device: (device: string) => `Where: ${device}`,
    advice:
      'If it was you, there is nothing to do. If not, open the site yourself, set a new password with “Forgotten your password?”, and sign out everywhere on the account page.',
    adviceToAdmins:
      'All admins get this email. If none of you did it, an admin’s account is in the wrong hands: take the role back on the page “People” and have that admin set a new password.',
    adviceAfterDeletion:
      'If it was not you, please write to the people who run this site. What was deleted cannot be brought back by yourself.',
  },
  'password-changed': {
    subject: (site: string) => `Your password for ${site} was changed`,
    title: 'Your password was changed',
    lead: (host: string, _subject: string) =>
      `Your account at ${host} has a new password. All other devices were signed out.`,
  },
  'account-deleted': {
    subject: (site: string) => `Your account at ${site} was deleted`,
    title: 'Your account was deleted',
    lead: (host: string, _subject: string) =>
      `Your account at ${host} was deleted, with everything that was yours alone.`,
  },
  'data-exported': {
    subject: (site: string) => `Your data at ${site} was downloaded`,
    title: 'Your data was downloaded',
    lead: (host: string, _subject: string) => `A copy of all data of your account at ${host} was downloaded.`,
  },
  'provider-linked': {
    subject: (site: string) => `A new way to sign in to ${site}`,
    title: 'A new way to sign in',
    lead: (host: string, subject: string) =>
      `From now on ${subject} signs in to your account at ${host}, because it confirmed the same email address.`,
  },
  'new-device': {
    subject: (site: string) => `A new sign-in at ${site}`,
    title: 'A sign-in from a new device',
    lead: (host: string, _subject: string) =>
      `Somebody signed in to your account at ${host} on a device that we have not seen before.`,
  },
  'factor-added': {
    subject: (site: string) => `A second step for signing in to ${site}`,
    title: 'A second step was added',
    lead: (host: string, subject: string) =>
      `“${subject}” was added to your account at ${host}: a passkey or an app that shows, at each sign-in, that it is you.`,
  },
  'factor-removed': {
    subject: (site: string) => `A second step was removed at ${site}`,
    title: 'A second step was removed',
    lead: (host: string, subject: string) => `“${subject}” no longer signs in to your account at ${host}.`,
  },
  'factors-reset': {
    subject: (site: string) => `Your second steps at ${site} were removed`,
    title: 'Your second steps were removed',
    lead: (host: string, _subject: string) =>
      `The passkeys, the app and the recovery codes of your account at ${host} were removed by those who run the site, and you were signed out everywhere. From now on, the password or an emailed link signs in alone.`,
  },
  'recovery-codes-made': {
    subject: (site: string) => `New recovery codes for ${site}`,
    title: 'You have new recovery codes',
    lead: (host: string, _subject: string) =>
      `New recovery codes were made for your account at ${host}. The earlier ones no longer work.`,
  },
  'recovery-code-used': {
    subject: (site: string) => `A recovery code was used at ${site}`,
    title: 'A recovery code was used',
    lead: (host: string, subject: string) =>
      `A recovery code was used for your account at ${host}. Codes that are left: ${subject}.`,
  },
  'codes-guessed': {
    subject: (site: string) => `Wrong codes for your account at ${site}`,
    title: 'Somebody types wrong codes',
    lead: (host: string, _subject: string) =>
      `For your account at ${host}, so many codes of your app were typed today that we take no more of them until tomorrow. Whoever typed them got past the first step of the sign-in. Your passkeys and recovery codes go on working.`,
  },
  'role-changed': {
    subject: (site: string) => `A role at ${site} was changed`,
    title: 'A role was changed',
    lead: (host: string, subject: string) => `An account at ${host} has another role now. ${subject}.`,
  },
  named: {
    title: (count: number, site: string) =>
      count === 1 ? `A post at ${site} names you` : `${count} posts at ${site} name you`,
    lead: (count: number) =>
      `Somebody has named your account among the people of ${count === 1 ? 'a post' : 'posts'}. Until you accept, your name stands there in plain text, and nothing else of you. You can also take it off.`,
    button: 'Answer on your account page',
    why: 'You get this email because your account is named: one an hour at most.',
    stop: 'Stop these emails',
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
