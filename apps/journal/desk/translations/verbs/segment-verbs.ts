import { AppError, type AuditEntry } from '@fabrica/backend';
import type { TranslatedSegment } from '../../../project/translations.ts';
import { quotaOf } from '../../rows-quota.ts';
import { openPost } from '../../working-copy.ts';
import { changeRecords, type OpenedTranslations } from '../change-records.ts';
import { countComments, namesIn, presentSegment } from '../present.ts';
import type { IdentifiedSegment } from '../records/post-records.ts';
import { findVersions, type TranslationRow } from '../records/record-rows.ts';
import { planReadyLanguages } from '../releases/release-ready.ts';
import { requireReviewer, type SegmentRequest } from '../requests.ts';

interface SegmentChange {
  opened: OpenedTranslations;
  segment: IdentifiedSegment;
  row: TranslationRow | undefined;
}

interface ChangeOptions {
  version: number;
  /** The text that the caller sends, for who was not the first. */
  text?: string;
  /** What readers get of the language once nothing is left to do in it: all, or only that somebody has reviewed what they have. */
  releases?: 'all' | 'labels';
}

/** Writes a person's text of a segment. Throws STALE with the present one when it has another version. */
export function saveSegment(request: SegmentRequest, { version, text }: { version: number; text: string }) {
  const { caller, language } = request;
  return changeSegment(request, { version, text }, ({ opened: { records, original }, segment }) => {
    const writer = { kind: 'person' as const, userId: caller.id };
    records.write(segment, language, { text, writer }, original.language);
  });
}

/** Notes that a reviewer has found a text right. Throws CONFLICT for a missing one. */
export function acceptSegment(
  request: SegmentRequest,
  { version, release }: { version: number; release: boolean },
) {
  const { caller, language } = request;
  requireReviewer(caller);
  return changeSegment(
    request,
    { version, releases: release ? 'all' : 'labels' },
    ({ opened: { records, original }, segment, row }) => {
      if (!row || row.text === null) throw new AppError('CONFLICT', 'This segment has no translation yet.');
      records.review(segment, language, caller.id, original.language);
    },
  );
}

/** Takes the machine's words, which the caller has seen, in place of the present ones. Throws CONFLICT where they are others by now. */
export function takeProposal(request: SegmentRequest, { version, text }: { version: number; text: string }) {
  const { caller, language } = request;
  return changeSegment(request, { version }, ({ opened: { records, original }, segment, row }) => {
    if (row?.proposal_hash !== segment.hash || row.proposal !== text)
      throw new AppError('CONFLICT', 'There is no such proposal for this segment any more.');
    const writer = { kind: 'person' as const, userId: caller.id };
    records.write(segment, language, { text, writer, keeps: true }, original.language);
  });
}

/**
 * Lets a text be released in spite of what the guard has found, until either text changes. The audit log names who did, in the
 * same transaction: without that entry, nothing is overruled.
 */
export function overruleGuard(
  request: SegmentRequest,
  { version, reason }: { version: number; reason: string },
): Promise<TranslatedSegment> {
  const { caller, language, desk, postId, segmentId } = request;
  requireReviewer(caller);
  return changeSegment(request, { version, releases: 'all' }, ({ opened: { records }, segment }) => {
    const row = records.current(segment, language);
    if (!row || row.blocks === 0) {
      throw new AppError('CONFLICT', 'There is nothing to overrule in this segment.');
    }
    records.mark(row, { overruled_by: caller.id, overruled_reason: reason, overruled_at: desk.now() });
    const marked = records.find(segmentId, language)?.version ?? version;
    return [
      {
        event: 'translation-overruled',
        userId: caller.id,
        ...{ ip: null, device: null },
        details: { post: postId, language, segment: segmentId, version: marked, reason },
      },
    ];
  });
}

/** Writes a former text of a segment anew, as a text of the account that does so. */
export async function restoreText(
  request: SegmentRequest,
  { version, former }: { version: number; former: number },
) {
  const { caller, language, segmentId, desk } = request;
  const versions = await findVersions(desk.project.database, [`${segmentId}_${language}`]);
  const found = versions.find((one) => one.version === former);
  if (!found) throw new AppError('NOT_FOUND', 'There is no such version.');
  return changeSegment(request, { version }, ({ opened: { records, original }, segment }) => {
    const writer = { kind: 'person' as const, userId: caller.id };
    records.write(segment, language, { text: found.text, writer, keeps: true }, original.language);
  });
}

/** Changes a segment that is in this version, and returns it as it is then. `act` returns what the audit log says about it. */
async function changeSegment(
  request: SegmentRequest,
  { version, text, releases }: ChangeOptions,
  act: (change: SegmentChange) => readonly AuditEntry[] | undefined,
): Promise<TranslatedSegment> {
  const { desk, postId, language, segmentId, caller } = request;
  await openPost(request);
  return changeRecords(desk, postId, async (opened) => {
    const { records, original } = opened;
    const segments = records.identify(original);
    const position = segments.findIndex(({ id }) => id === segmentId);
    const segment = segments[position];
    if (!segment || original.language === language) {
      throw new AppError('NOT_FOUND', 'This segment is not in the original any more.');
    }
    const row = records.find(segmentId, language);
    const present = async () => {
      const { database } = desk.project;
      const names = await namesIn(database, records);
      const comments = await countComments(database, { postId, language });
      return presentSegment(segment, position, { records, language, names, comments });
    };
    if ((row?.version ?? 0) !== version) {
      throw new AppError('STALE', 'Somebody else has changed this segment meanwhile.', {
        details: { current: await present(), ...(text !== undefined && { text }) },
      });
    }
    const events = act({ opened, segment, row });
    const ready = { languages: [language], by: caller.id, onlyLabels: releases === 'labels' };
    const plans = releases ? await planReadyLanguages(desk, opened, ready) : [];
    return { ...(plans.length > 0 && { plans }), quota: quotaOf(desk, caller.id), events, result: present };
  });
}
