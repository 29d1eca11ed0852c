import { fileTooLargeMessage } from '@fabrica/contract';

export const publish = {
  title: 'Create a post',
  metaDescription: 'Publish an artwork with a medical text, in four languages.',
  lead: 'An artwork, a title and a text. The translations into English, Spanish, French and German are made as you publish.',
  leadWithoutModel:
    'An artwork, a title and a text. Readers of every language get your own words: no translation service is set up here.',
  askForRole: { text: 'The people who run this site can give it the right to.', contact: 'Write to them' },
  image: {
    label: 'Artwork',
    choose: 'Choose an image',
    drop: 'or drop one here',
    hint: 'A JPEG, PNG, WebP, AVIF, GIF, HEIC or TIFF image of up to 50 MB. The gallery crops it to 4:5; its post shows it whole.',
    inGallery: 'In the gallery',
    inPost: 'In the post',
    small: (width: number, height: number) =>
      `This image is only ${width} × ${height} pixels and will look blurred on large screens. From 1,600 pixels on the longer side it is sharp.`,
    change: 'Change Image',
    preview: 'Preview of the chosen image',
    missing: 'Please choose an image.',
    notAnImage:
      'This kind of file cannot be used. Please choose a JPEG, PNG, WebP, AVIF, GIF, HEIC or TIFF image.',
    tooLarge: fileTooLargeMessage,
    unreadable: 'This image cannot be read. It may be damaged; please choose another one.',
    drawing:
      'This is a drawing (SVG), which cannot be cropped and resized. Please export it as a PNG and choose that.',
    document: 'This is a PDF document. Please export the page as a PNG or JPEG image and choose that.',
    unconverted:
      'This HEIC or TIFF image cannot be read. It may be damaged, too large or of a rare kind; please export it as a JPEG and choose that.',
    noPreview:
      'This browser cannot show this kind of image. It is converted when it is uploaded, and readers see it.',
    checking: 'Checking the image...',
  },
  titleField: {
    label: 'Title',
    missing: 'Please enter a title.',
    markdown: 'A title has no formatting: readers see these signs of Markdown as they are.',
  },
  contentField: {
    label: 'Medical text',
    hint: 'Line breaks are kept as you write them.',
    long: (safe: string) =>
      `Texts of up to about ${safe} characters are translated while you publish. This one is longer: the server translates the rest afterwards, and your own text is shown until then.`,
    missing: 'Please enter the text.',
  },
  cancel: 'Cancel',
  submit: 'Publish Post',
  uploading: 'Uploading...',
  publishing: 'Publishing...',
  draftRestored: 'Your draft is back, as you left it.',
  discardDraft: 'Discard draft',
  confirmDiscard: 'Its title, text and image are removed from this device.',
  discarded: 'Your draft was discarded.',
  undoDiscard: 'Undo',
  keepDraft: 'Keep it',
  earlierDrafts: {
    heading: 'Earlier drafts',
    open: (title: string) => `Continue your draft of “${title}”`,
    openUntitled: 'Continue your untitled draft',
    untitled: 'Untitled draft',
  },
  interrupted:
    'Publishing was interrupted. Your draft is here; look in the gallery whether the post is there before you publish again.',
  desk: {
    action: 'Write on the desk',
    hint: 'The desk has everything else: formatting, more pictures, long texts, colleagues, a date, and translations that you see before your readers do. What you have written goes with you.',
  },
  missingFields: {
    title: 'Missing fields',
    description: 'Please fill in all fields and upload an image',
  },
  translating: {
    title: 'Translating...',
    description: 'Generating translations for all languages',
    progress: (done: number, total: number) => `${done} of ${total}`,
  },
  success: {
    title: 'Success!',
    withTranslations: 'Your post has been published with translations',
    read: 'Read it',
  },
  missingTranslations: {
    title: 'Published, but not fully translated',
    allMissing: 'Published without translations',
    /** `parts` is a list like "title in French, text in German". */
    description: (parts: string) => `The original text stands in for: ${parts}.`,
    allDescription: 'The translation service did not answer. The original text is shown in every language.',
    notConfigured:
      'No translation service is set up on this site. The original text is shown in every language.',
    titleIn: (language: string) => `title in ${language}`,
    contentIn: (language: string) => `text in ${language}`,
    completed: 'The server translates what is missing now; you may close this page.',
  },
  translations: {
    notTranslated: (languages: string) => `Not translated: ${languages}.`,
    standsIn: 'Your own text is shown where a translation is missing.',
    nowTranslated: (languages: string) => `Translated now: ${languages}.`,
    held: 'What was translated is held back: the check found something for a person to look at.',
    lookAtHeld: 'Look at it',
    tryAgain: 'Try again',
    underWay: 'The server is translating what is missing.',
    faults: {
      'not-configured': 'No translation service is set up on this site.',
      quota: 'The translations for today are used up.',
      offline: 'The server could not be reached. Please check your connection.',
      'cut-off': 'The text is too long to be translated in one go.',
      unusable: 'What came back was no complete translation.',
      numbers: 'The numbers of a translation did not say the same as yours.',
      unanswered: 'The translation service did not answer.',
    },
    contradiction: {
      /** Explains `numbers` by the words that differ. */
      pair: (language: string, { original, translated }: { original: string; translated: string }) =>
        `The numbers of the ${language} translation did not say the same: ${original} here, ${translated} there.`,
      quoted: (words: string) => `“${words}”`,
      absent: 'nothing',
    },
    retryFailed: {
      'session-ended': 'Your session has ended. Please sign in again.',
      offline: 'The server could not be reached. Please check your connection.',
      gone: 'This post no longer exists.',
      'unknown-language': 'Please say on the desk in which language the text is: then it can be translated.',
      unknown: 'The translations could not be saved. Please try again.',
    },
  },
  failure: {
    title: 'Error',
    description: 'Failed to create post. Please try again.',
    kept: 'Everything you entered is still here.',
    offline: 'Please check your connection.',
    forbidden: 'Your account may not publish posts.',
    storageFull: 'There is no room left for more images on the server. Please tell its operator.',
    quotaExceeded:
      'Your space for images is used up. Delete posts that you no longer need, or ask the operator for more.',
  },
  cancelled: {
    title: 'Nothing was published',
    description: 'Your draft is kept on this device.',
  },
  sessionEnded: {
    title: 'Your session has ended',
    description: 'Please sign in again. Your draft is kept on this device.',
    signIn: 'Sign in again',
  },
};
