import { AppError } from '@fabrica/backend';
import type {
  LanguageStatus,
  LanguageTranslation,
  PostTranslations,
  ReleaseRule,
} from '../../../project/translations.ts';
import { notAllowed } from '../../access.ts';
import type { PostRequest } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { openPost } from '../../working-copy.ts';
import {
  changeRecords,
  type OpenedTranslations,
  openTranslations,
  type PlannedChange,
} from '../change-records.ts';
import { targetLanguages } from '../original.ts';
import {
  countComments,
  namesIn,
  presentLanguage,
  presentPost,
  presentSegment,
  releasedOriginal,
} from '../present.ts';
import { type ReleaseFault, releaseFault } from '../releases/readiness.ts';
import { planRelease, planWithdrawal } from '../releases/release-languages.ts';
import { planReadyLanguages } from '../releases/release-ready.ts';
import { type LanguageRequest, mayReview, requireReviewer } from '../requests.ts';

const FAULTS: Readonly<Record<ReleaseFault, string>> = {
  empty: 'There is nothing to translate in this post.',
  missing: 'Some segments have no translation yet.',
  outdated: 'Some translations are of former words of the original.',
  blocked: 'The check has found something in some segments: correct them, or say why they are right.',
  'not-reviewed': 'Some segments were not reviewed yet.',
  'too-long': 'The title or the text is too long in this language.',
};

/** Returns what became of a post in each language. */
export async function readTranslations(request: PostRequest): Promise<PostTranslations> {
  await openPost(request);
  return presentPost(request.desk, await openRecorded(request));
}

/** Returns a post in one language, segment by segment. */
export async function readLanguage(request: LanguageRequest): Promise<LanguageTranslation> {
  const { desk, language, postId } = request;
  await openPost(request);
  const opened = await openRecorded(request);
  requireTarget(opened, language);
  const { records, original } = opened;
  const { database } = desk.project;
  const [names, comments] = await Promise.all([
    namesIn(database, records),
    countComments(database, { postId, language }),
  ]);
  const context = { records, language, names, comments };
  return {
    ...(await presentLanguage(desk, opened, language)),
    segments: records.identify(original).map((segment, at) => presentSegment(segment, at, context)),
    judge: desk.judge ? { model: desk.judge.name, measured: desk.judge.measured } : null,
  };
}

/** Segments have ids that last from when they are first seen. */
async function openRecorded({ desk, caller, postId }: PostRequest): Promise<OpenedTranslations> {
  const opened = await openTranslations(desk, postId);
  if (!opened.records.isChanged) return opened;
  return changeRecords(desk, postId, (changed) => ({
    quota: quotaOf(desk, caller.id),
    result: () => changed,
  }));
}

/** Notes of several segments that a reviewer has found them right, and skips those that somebody has changed meanwhile. */
export async function acceptAll(
  request: LanguageRequest,
  wanted: readonly { id: string; version: number }[],
): Promise<{ accepted: string[]; skipped: string[] }> {
  const { desk, caller, language, postId } = request;
  requireReviewer(caller);
  await openPost(request);
  return changeRecords(desk, postId, async (opened) => {
    requireTarget(opened, language);
    const { records, original } = opened;
    const segments = new Map(records.identify(original).map((one) => [one.id, one]));
    const [accepted, skipped]: [string[], string[]] = [[], []];
    for (const { id, version } of wanted) {
      const segment = segments.get(id);
      const row = segment && records.current(segment, language);
      const isRight = segment && row?.version === version && !records.isBlocked(segment, language);
      (isRight ? accepted : skipped).push(id);
      if (isRight && row?.state !== 'reviewed')
        records.review(segment, language, caller.id, original.language);
    }
    const plans = await planReadyLanguages(desk, opened, { languages: [language], by: caller.id });
    return {
      ...(plans.length > 0 && { plans }),
      quota: quotaOf(desk, caller.id),
      result: () => ({ accepted, skipped }),
    };
  });
}

/** Releases a language to readers, or lets the first publication do so. Throws CONFLICT with what it lacks. */
export function releaseLanguage(request: LanguageRequest): Promise<LanguageStatus> {
  const { desk, caller, language } = request;
  return changeLanguage(request, async (opened) => {
    const { records, post, slugs, draft, facts } = opened;
    if (post?.published !== 1) {
      records.setLanguage(language, { state: 'none' });
      return undefined;
    }
    const fault = releaseFault(records, await releasedOriginal(desk, opened), language);
    if (fault) throw new AppError('CONFLICT', FAULTS[fault], { details: { fault } });
    const draftUpdatedAt = draft?.post_updated_at;
    return planRelease(desk, records, {
      post,
      slugs,
      draftUpdatedAt,
      facts,
      languages: [language],
      by: caller.id,
    });
  });
}

/** Keeps what readers have of a language as it is, until somebody releases it. */
export function holdLanguage(request: LanguageRequest): Promise<LanguageStatus> {
  return changeLanguage(request, ({ records }) => {
    records.setLanguage(request.language, { state: 'held' });
    return undefined;
  });
}

/** Gives readers the original in place of a language, until somebody releases it. */
export function withdrawLanguage(request: LanguageRequest): Promise<LanguageStatus> {
  const { desk, caller, language } = request;
  return changeLanguage(request, ({ records, post, slugs, draft, facts }) => {
    records.setLanguage(language, { state: 'withdrawn', released_at: null });
    if (!post) return undefined;
    const draftUpdatedAt = draft?.post_updated_at;
    return planWithdrawal(desk, records, {
      post,
      slugs,
      draftUpdatedAt,
      facts,
      languages: [language],
      by: caller.id,
    });
  });
}

/** Says when a language is released by itself. */
export function setRule(request: LanguageRequest, rule: ReleaseRule): Promise<LanguageStatus> {
  requireReviewer(request.caller);
  return changeLanguage(request, ({ records }) => {
    records.setLanguage(request.language, { rule });
    return undefined;
  });
}

type Plans = PlannedChange<unknown>['plans'];

async function changeLanguage(
  request: LanguageRequest,
  act: (opened: OpenedTranslations) => Plans | Promise<Plans>,
): Promise<LanguageStatus> {
  const { desk, postId, language, caller } = request;
  const { access } = await openPost(request);
  if (!access.publish && !mayReview(caller)) throw notAllowed();
  await changeRecords(desk, postId, async (opened) => {
    requireTarget(opened, language);
    const plans = await act(opened);
    return { ...(plans && { plans }), quota: quotaOf(desk, caller.id), result: () => undefined };
  });
  return presentLanguage(desk, await openTranslations(desk, postId), language);
}

function requireTarget({ original }: OpenedTranslations, language: LanguageRequest['language']): void {
  if (targetLanguages(original.language).includes(language)) return;
  throw new AppError('NOT_FOUND', 'This is the language of the original.');
}
