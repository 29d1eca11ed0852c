/** Texts of what readers of translations open: the comparison with the original, the report of an error, translations of comments. */
export const readingTranslations = {
  title: 'Title',
  original: 'Original',
  originalIn: (language: string) => `Original in ${language}`,
  report: 'Report an error',
  named: (button: string, passage: string) => `${button}: “${passage}”`,
  removed: 'The original no longer has this passage.',
  form: {
    quote: 'The passage',
    message: 'What is wrong with it?',
    hint: 'You need no account. Please write nothing about your own health.',
    missing: 'Please say what is wrong.',
    send: 'Send report',
    sending: 'Sending...',
    cancel: 'Cancel',
    close: 'Close',
    thanks: 'Thank you! Those who review this translation will see your report.',
    failed: 'The report could not be sent. What you wrote is still here; please try again.',
  },
  comment: {
    translate: 'Translate',
    named: (author: string) => `Translate the comment by ${author}`,
    translating: 'Translating...',
    hide: 'Hide translation',
    by: 'Translated by machine, not reviewed.',
    differs:
      'The translation and the comment do not say the same: please compare numbers, doses and negations.',
    failed: 'The comment could not be translated. Please try again later.',
    quota: 'No more comments can be translated today.',
  },
};
