import { join } from 'node:path';
import type { PostDocument } from '../document.ts';
import type { Language } from '../languages.ts';
import type { Shape } from '../marks.ts';

/** Names the fictitious authors of the demo content. */
export const authors = {
  mara: {
    key: 'mara',
    displayName: 'Dr Mara Lindqvist',
    introduction: {
      en: 'A cardiologist who keeps old plates above her desk.',
      es: 'Cardióloga, con láminas antiguas sobre su escritorio.',
      fr: 'Cardiologue, de vieilles planches au-dessus de son bureau.',
      de: 'Kardiologin, mit alten Tafeln über dem Schreibtisch.',
    },
  },
  tomas: {
    key: 'tomas',
    displayName: 'Dr Tomás Arrieta',
    introduction: {
      en: 'A family doctor in a valley with more stairs than lifts.',
      es: 'Médico de familia en un valle con más escaleras que ascensores.',
      fr: 'Médecin généraliste dans une vallée qui compte plus d’escaliers que d’ascenseurs.',
      de: 'Hausarzt in einem Tal mit mehr Treppen als Aufzügen.',
    },
  },
  ines: {
    key: 'ines',
    displayName: 'Inès Vautrin',
    introduction: {
      en: 'She draws the plates of this journal, and writes where a picture does not suffice.',
      es: 'Dibuja las láminas de esta revista y escribe donde una imagen no basta.',
      fr: 'Elle dessine les planches de cette revue, et écrit là où une image ne suffit pas.',
      de: 'Zeichnet die Tafeln dieses Journals und schreibt, wo ein Bild nicht genügt.',
    },
  },
} as const satisfies Record<string, DemoAuthor>;

type DemoAuthorKey = keyof typeof authors;

export interface DemoAuthor {
  key: string;
  displayName: string;
  introduction: Record<Language, string>;
}

/** Returns the e-mail address of a demo author, which nobody can have. */
export function emailOf({ key }: DemoAuthor): string {
  return `${key}@example.org`;
}

/** Returns the path of the file that stands for a demo which was removed. */
export function removedMarker({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'demo.removed');
}

/** Names the illustrator of all pictures as bylines and credits do. */
export const ILLUSTRATOR = 'Inès Vautrin';

/** A picture with what is said about it. */
export interface DemoPicture {
  /** File name in `images`. */
  file: string;
  alt: Record<Language, string>;
  caption: Record<Language, string>;
  /** The long description, for readers who do not see it; blank lines separate its paragraphs. */
  description?: Record<Language, string>;
  marks?: readonly DemoMark[];
}

/** A mark on a picture: the text has a passage with its letter in each language, `:mark[words]{#a}`, or it has a note. */
export interface DemoMark {
  letter: string;
  shape: Shape;
  note?: Record<Language, string>;
}

/** Describes a post of the demo content, which has an original text in each of the four languages. */
export interface DemoPost {
  slug: string;
  artwork: DemoPicture;
  /** Details of the artwork, which readers see below the text. */
  pictures?: readonly DemoPicture[];
  sources?: PostDocument['sources'];
  /** Plain without it. */
  contentFormat?: 'markdown';
  /** Its translations wait for somebody to review them, so that the desk's queue has something to show. */
  isUnreviewed?: true;
  author: DemoAuthorKey;
  /** Days between the post's publication and the first start. */
  daysAgo: number;
  title: Record<Language, string>;
  /** 200 to 400 words in each language; blank lines separate the paragraphs. */
  content: Record<Language, string>;
}
