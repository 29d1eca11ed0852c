/** The dose guard compares a text with its translation by what both say in numbers. It knows no other package. */
export { compareSegments } from './compare-segments.ts';
export type {
  CompareOptions,
  Excerpt,
  Finding,
  Language,
  RecogniseOther,
  Segment,
  Severity,
  Term,
} from './findings.ts';
