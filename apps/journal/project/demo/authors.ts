/** The fictitious authors of the demo content. */
export const authors = {
  mara: { key: 'mara', displayName: 'Dr Mara Lindqvist' },
  tomas: { key: 'tomas', displayName: 'Dr Tomás Arrieta' },
  ines: { key: 'ines', displayName: 'Inès Vautrin, illustrator' },
} as const;

export type DemoAuthorKey = keyof typeof authors;

export interface DemoAuthor {
  key: DemoAuthorKey;
  displayName: string;
}
