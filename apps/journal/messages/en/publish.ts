import { fileTooLargeMessage } from '@fabrica/contract';

export const publish = {
  title: 'Create a post',
  metaDescription: 'Publish an artwork with a medical text, in four languages.',
  lead: 'An artwork, a title and a text. The translations into English, Spanish, French and German are made as you publish.',
  backToGallery: 'Back to gallery',
  image: {
    label: 'Artwork',
    choose: 'Choose an image',
    drop: 'or drop one here',
    hint: 'An image of up to 50 MB. It is cropped to 16:10 in its post and to 4:5 in the gallery; readers can open it whole.',
    change: 'Change Image',
    preview: 'Preview of the chosen image',
    missing: 'Please choose an image.',
    notAnImage: 'This file is not an image. Please choose a picture, such as a JPEG, PNG or WebP.',
    tooLarge: fileTooLargeMessage,
    unreadable: 'This image cannot be read. It may be damaged; please choose another one.',
    checking: 'Checking the image...',
  },
  titleField: { label: 'Title', missing: 'Please enter a title.' },
  contentField: {
    label: 'Medical text',
    hint: 'Line breaks are kept as you write them.',
    missing: 'Please enter the text.',
  },
  cancel: 'Cancel',
  submit: 'Publish Post',
  uploading: 'Uploading...',
  publishing: 'Publishing...',
  draftRestored: 'Your draft is back, as you left it.',
  discardDraft: 'Discard draft',
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
    withoutTranslations: 'Your post has been published',
  },
  missingTranslations: {
    title: 'Some translations are missing',
    allMissing: 'The translations are missing',
    /** `parts` is a list like "title in French, text in German". */
    description: (parts: string) => `The original text stands in for: ${parts}.`,
    allDescription: 'The translation service did not answer. The original text is shown in every language.',
    notConfigured:
      'No translation service is set up on this site. The original text is shown in every language.',
    titleIn: (language: string) => `title in ${language}`,
    contentIn: (language: string) => `text in ${language}`,
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
