/** The dose guard compares a text with its translation by what both say in numbers. It knows no other package. */
export { compareSegments } from './compare-segments.ts';
export type {
  BlockingKind,
  CompareOptions,
  Excerpt,
  Finding,
  Language,
  Segment,
  Term,
  WarningKind,
} from './findings.ts';
