/** Texts that stand, in their own language, on pages of other languages. */
export const ownLanguage = {
  offer: 'This site is available in English too',
  close: 'Close this notice',
  back: 'Back to the page in English',
  callouts: { warning: 'Warning', summary: 'Summary', 'key-points': 'Key points' },
  footnotes: 'Footnotes',
};
