import type { TablePlan } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { JobContext } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { changeRecords, type OpenedTranslations } from '../change-records.ts';
import { presentLanguage, releasedOriginal } from '../present.ts';
import { planRelease, waitsForReader } from './release-languages.ts';

interface ReadyOptions {
  languages: readonly Language[];
  by: string;
  /** Whether readers get no other words: they are only told that somebody has reviewed those that they have. */
  onlyLabels?: boolean;
  /** Whether the words follow a change of the original, and have its date. */
  follows?: boolean;
  /** Whether the second reader has been asked about them: it may have failed, and then the guard alone decides. */
  isAsked?: boolean;
}

/**
 * Plans the release of those of the languages whose rule holds, and that readers have otherwise or not at all. Nothing is
 * released of a post that is not published, of a language that somebody holds back, or before the second reader was asked about it.
 */
export async function planReadyLanguages(
  desk: JobContext,
  opened: OpenedTranslations,
  { languages, by, onlyLabels = false, follows, isAsked = false }: ReadyOptions,
): Promise<TablePlan[]> {
  const { post, slugs, draft, records, facts } = opened;
  if (post?.published !== 1) return [];
  const original = await releasedOriginal(desk, opened);
  const ready: Language[] = [];
  for (const language of languages) {
    if (!isAsked && waitsForReader(desk, records, { original, language })) continue;
    const { state, isReady, isDue } = await presentLanguage(desk, opened, language);
    const isReviewed = state === 'released' && isReady && isReviewedNow(opened, language);
    if (isDue ? !onlyLabels : isReviewed) ready.push(language);
  }
  if (ready.length === 0) return [];
  const draftUpdatedAt = draft?.post_updated_at;
  return planRelease(desk, records, { post, slugs, draftUpdatedAt, facts, languages: ready, by, follows });
}

/** Tells whether readers may know more than they do: that somebody has reviewed the translation. */
function isReviewedNow({ facts, records, original }: OpenedTranslations, language: Language): boolean {
  if (facts[language]?.reviewedBy) return false;
  return records.identify(original).every((segment) => records.state(segment, language) === 'reviewed');
}

/** Releases those of the languages whose rule holds, once a job has translated what was missing. */
export function releaseReady(desk: JobContext, postId: string, options: ReadyOptions): Promise<void> {
  return changeRecords(desk, postId, async (opened) => {
    const plans = await planReadyLanguages(desk, opened, { ...options, follows: true });
    const quota = quotaOf(desk, options.by);
    return { ...(plans.length > 0 && { plans }), quota, result: () => undefined };
  });
}
