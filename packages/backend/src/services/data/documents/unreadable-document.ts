/** What is wrong with a document, as a sentence for whoever sent it. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument';
}
