/** The sections of the about page, in its order (docs/spec/product.md section 2), by the prefix of their columns. */
export const SECTIONS = ['who', 'vision', 'why'] as const;
export type SectionName = (typeof SECTIONS)[number];
