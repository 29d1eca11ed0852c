import type { ReactNode, Ref } from 'react';
import type { Source } from '../../references/source.ts';
import type { FormattedText } from './document/text-document.ts';
import type { StoredPicture } from './plugins/pictures.ts';

export interface TextEditorHandle {
  /** Returns what is written now, and calls `onChange` if it has not been called with that yet. */
  flush(): FormattedText;
  focus(): void;
}

/** A selection within a text as it is stored, in UTF-16 units from its start. */
export interface Caret {
  start: number;
  end: number;
}

interface DescriptionOffer {
  /** The URL of the picture. */
  url: string;
  /** Takes the description that somebody has confirmed. */
  onUse(alt: string): void;
}

export interface TextEditorProps {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** The text. Another one than `onChange` was last called with replaces what is written, and can be taken back. */
  value: string;
  /** A plain text stays plain until something is more than paragraphs and line breaks. */
  format: 'plain' | 'markdown';
  /** The language that the text is written in. */
  lang?: string | undefined;
  /** The most characters that can be sent; more stay, and are counted. */
  limit?: number | undefined;
  readOnly?: boolean | undefined;
  /** Called shortly after the last key, and at once when the editor or the page is left. */
  onChange(text: FormattedText): void;
  /** Uploads a picture for the text. Without it, the text takes none. */
  onImage?: ((file: File) => Promise<StoredPicture>) | undefined;
  /** Offers a description of a stored picture of the text, for somebody to read and to take. */
  offerDescription?: ((offer: DescriptionOffer) => ReactNode) | undefined;
  /** The letters of marks that words of the text can be tied to. */
  letters?: readonly string[] | undefined;
  /** The references that the text can cite. */
  sources?: readonly Source[] | undefined;
  onSourcesChange?: ((sources: Source[]) => void) | undefined;
  /** Looks a DOI or PubMed id up. */
  onFindSource?: ((identifier: string) => Promise<Omit<Source, 'id'>>) | undefined;
  /** The name under which undoable changes survive a reload of the tab: the account, the post and the language. */
  undoKey?: string | undefined;
  ref?: Ref<TextEditorHandle> | undefined;
}

export interface EditorFieldProps extends TextEditorProps {
  /** Returns what is selected where the text was written until now, if that had the focus. */
  takeCaret(): Caret | undefined;
}
