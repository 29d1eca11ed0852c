import type { Excerpt, Finding } from '@fabrica/dose-guard';
import { z } from 'zod';

import { LANGUAGE_CODES, type Language } from './languages.ts';

/** One thing that the guard has found in a pair of texts. A `block` contradicts the original, a `doubt` is for a person to clear. */
export type { Excerpt, Finding } from '@fabrica/dose-guard';

/** The texts about a picture in each language. */
export type PictureWords = 'alt' | 'caption' | 'description';
/**
 * The texts of a document that are translated: its title and text, what is said about its image and about its further
 * pictures, such as `caption:0` of the first of these, and the notes of marks by their letters, such as `note:a`.
 */
export type SegmentPart = 'title' | 'content' | PictureWords | `${PictureWords}:${number}` | `note:${string}`;

const SEGMENT_KINDS = [
  'title',
  'heading',
  'paragraph',
  'item',
  'cell',
  'caption',
  'alt',
  'footnote',
  'code',
] as const;
/** The block of the original that a segment is. */
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** `outdated` stands for a translation of former words of the original. */
export const SEGMENT_STATES = ['missing', 'machine', 'edited', 'reviewed', 'outdated'] as const;
export type SegmentState = (typeof SEGMENT_STATES)[number];

export const WRITER_KINDS = ['model', 'person', 'memory', 'import', 'unknown'] as const;
/** Names who or what wrote a text; `unknown` for what another program put into the columns of a post. */
export type WriterKind = (typeof WRITER_KINDS)[number];

/** Somebody released a text in spite of what the guard had found, for a reason. It counts for exactly this pair of texts. */
export interface Overruling {
  by: { id: string; name: string };
  reason: string;
  at: number;
}

/** Names what the second reader finds: the kinds that it is asked for. */
export const DIFFERENCE_KINDS = [
  'number',
  'time',
  'negation',
  'opposite',
  'name',
  'missing',
  'added',
  'meaning',
] as const;

/** A difference that the second reader has found, with the words of both sides; a side is null where nothing corresponds. */
export interface Difference {
  kind: (typeof DIFFERENCE_KINDS)[number];
  source: Excerpt | null;
  target: Excerpt | null;
}

/** Says what the second reader, a model, has found in a pair of texts. */
export interface SecondReading {
  /** The name of the model. */
  model: string;
  at: number;
  /** Empty where both say the same. */
  differences: Difference[];
}

/** Tells how often the second reader was right when it was measured, in per cent of wrong and of right translations. */
export interface JudgeFigures {
  /** Such as `2026-11-28`. */
  day: string;
  caught: number;
  falseAlarms: number;
}

/** A segment in one language, as the desk shows it. */
export interface TranslatedSegment {
  id: string;
  part: SegmentPart;
  kind: SegmentKind;
  /** Counts from 0 through the whole post. */
  position: number;
  /** The words of the original. */
  source: string;
  /** The words of the original that an outdated text translates; null for any other. */
  previousSource: string | null;
  /** Empty for a missing one. */
  text: string;
  state: SegmentState;
  /** Null for a missing one. */
  writer: { kind: WriterKind; name: string | null } | null;
  /** The machine's words beside a text that a person wrote. */
  proposal: string | null;
  findings: Finding[];
  /** Null for what no second model has read. */
  reading: SecondReading | null;
  /** Whether a finding keeps the language from being released, which nobody has overruled. */
  blocked: boolean;
  overruled: Overruling | null;
  reviewed: { by: { id: string; name: string }; at: number } | null;
  comments: number;
  /** The ETag; 0 for a segment that nobody has written in this language yet. */
  version: number;
}

export const RELEASE_STATES = ['none', 'released', 'held', 'withdrawn'] as const;
/** `held`: it waits until somebody releases it; `withdrawn`: readers see the original. */
export type ReleaseState = (typeof RELEASE_STATES)[number];

/** Tells when a language is released by itself: once nothing is missing or blocked, or once each segment was reviewed. */
export const RELEASE_RULES = ['checked', 'reviewed'] as const;
export type ReleaseRule = (typeof RELEASE_RULES)[number];

/** The states in which a segment waits for somebody, as the queue lists them. */
export const WAITING_STATES = ['blocked', 'missing', 'outdated', 'machine', 'edited'] as const;
export type WaitingState = (typeof WAITING_STATES)[number];

export type SegmentCounts = Record<SegmentState | 'blocked', number>;

export interface LanguageStatus {
  language: Language;
  state: ReleaseState;
  rule: ReleaseRule;
  counts: SegmentCounts;
  /** Outdated segments whose text a job leaves as it is: it proposes another one, and somebody decides. */
  proposed: number;
  releasedAt: number | null;
  /** Whether what is released translates other words than readers see in the original. */
  isStale: boolean;
  /** Whether the language could be released now: nothing is missing, outdated or blocked, and the rule holds. */
  isReady: boolean;
  /** Whether readers would see other words after a release. */
  hasChanges: boolean;
  /** Whether its rule releases it now: readers of the published post have other words, or none, and nobody holds it back. */
  isDue: boolean;
  reviewedBy: string | null;
}

export interface TranslationJob {
  id: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  words: { done: number; total: number };
  fault: string | null;
  languages: Language[];
}

export interface PostTranslations {
  /** The language of the original; null when it is not known. */
  source: Language | null;
  languages: LanguageStatus[];
  job: TranslationJob | null;
  /** Whether a model is set up, which translates after a publication what is missing. */
  isOffered: boolean;
}

export interface LanguageTranslation extends LanguageStatus {
  segments: TranslatedSegment[];
  /** The model that reads translations once more, and how good it is, where that was measured; null where there is none. */
  judge: { model: string; measured: JudgeFigures | null } | null;
}

/** A former text of a segment. */
export interface SegmentVersion {
  version: number;
  text: string;
  source: string;
  state: SegmentState;
  writer: { kind: WriterKind; name: string | null };
  at: number;
}

export interface SegmentComment {
  id: string;
  text: string;
  by: { id: string; name: string };
  at: number;
}

/** A post with segments that wait for somebody in a language. */
export interface QueuedPost {
  postId: string;
  title: string;
  language: Language;
  state: ReleaseState;
  counts: SegmentCounts;
  /** Whether readers have the post. The queue lists these posts first. */
  isPublished: boolean;
  updatedAt: number;
}

/** Tells how many segments of published posts wait for a person in each language, over all pages of a queue. */
export type WaitingSegments = readonly { language: Language; segments: number }[];

/** Epoch milliseconds, up to the last that a `Date` can hold: what formats a later time throws. */
const time = z.int().min(0).max(8.64e15);

/** Says what readers may know of each released language: the column `translations` of a post, which the desk alone writes. */
export const releasedTranslations = z.partialRecord(
  z.enum(LANGUAGE_CODES),
  z.strictObject({
    /** `unknown` was stored by versions that did not take what is uncertain for a machine's. */
    by: z.enum(['machine', 'person', 'mixed', 'unknown']),
    /** Whether the guard has compared the texts and found nothing, not even what somebody overruled. */
    checked: z.boolean(),
    reviewedBy: z.string().max(200).nullable(),
    reviewedAt: time.nullable(),
    releasedAt: time,
    /** The hashes of the original's segments, in order, the title first: others than those of the page have changed since. */
    hashes: z.array(z.string().max(16)),
  }),
);
export type ReleasedTranslations = z.infer<typeof releasedTranslations>;

/** What a model has answered to a client that asked it for one of the eight texts of a new post. */
export interface GivenAnswer {
  field: 'title' | 'content';
  language: Language;
  text: string;
}

/** Says why an answer is held back, and which numbers contradict each other; null where nothing corresponds to the other. */
export interface AnswerFault {
  fault: 'unusable' | 'numbers';
  contradiction?: { original: string | null; translated: string | null };
}

/** An answer as it was read: its text without what the model said around it, or why there is none. */
export type CheckedAnswer = Pick<GivenAnswer, 'field' | 'language'> &
  ({ text: string; fault: null } | ({ text: null } & AnswerFault));
