import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { allOf, equals, type ServicePlans, type TablePlan } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { SegmentState } from '../../../project/translations.ts';
import { type ListedSegment, matchSegments } from '../../../segments/match-segments.ts';
import type { SegmentText } from '../../../segments/split-post.ts';
import type { Terms } from '../glossary/glossary.ts';
import { countHolds, readingOf } from '../judge/readings.ts';
import { rememberTexts } from '../memory/remember-texts.ts';
import type { Original } from '../original.ts';
import { countSegments, SEGMENT_COUNTS } from './count-segments.ts';
import { examine, type TextPair } from './examine.ts';
import type { PostLanguageRow, RecordRows, TranslationRow, VersionRow } from './record-rows.ts';
import { columnsOf, isProtected, stateOf, type Writer } from './writer.ts';

/** A segment of an original with its words. */
export type IdentifiedSegment = SegmentText & { id: string };

/** Says what becomes of a segment in a language. */
interface TextChange {
  /** Null takes the text away. */
  text: string | null;
  writer: Writer;
  /** Whether the text that is replaced is kept in any case: it was not typed over, but exchanged. */
  keeps?: boolean;
}

/** One account's text that replaces its own of so many milliseconds ago is not kept beside it. */
const KEEP_EVERY_MS = 5 * 60_000;

/** Texts that are examined before others have a turn: some 15 ms. */
const EXAMINED_AT_ONCE = 10;

/**
 * The records of a post's translations: what each segment of its original is called, and what it says in which language. It
 * is changed in memory, and the plans write what has changed if nobody else has written the post's records meanwhile.
 */
export class PostRecords {
  readonly postId: string;
  /** The terms of the glossary, which the guard looks for. */
  readonly terms: Terms;
  readonly #now: number;
  readonly #row: RecordRows['row'];
  readonly #translations: Map<string, TranslationRow>;
  readonly #languages: Map<Language, PostLanguageRow>;
  readonly #changed = new Set<string>();
  /** Those of them whose version has grown. */
  readonly #edited = new Set<string>();
  readonly #changedLanguages = new Set<Language>();
  readonly #versions: VersionRow[] = [];
  readonly #machineColumns: RecordRows['machineColumns'];
  #listed: readonly ListedSegment[];
  #published: readonly ListedSegment[] | null;
  #postUpdatedAt: number | null;
  #isExamined: boolean;

  constructor(
    postId: string,
    { row, translations, languages, machineColumns }: RecordRows,
    { now, terms }: { now: number; terms: Terms },
  ) {
    this.postId = postId;
    this.terms = terms;
    this.#now = now;
    this.#row = row;
    this.#machineColumns = machineColumns;
    this.#listed = row ? JSON.parse(row.segments) : [];
    this.#published = row?.published ? JSON.parse(row.published) : null;
    this.#postUpdatedAt = row?.post_updated_at ?? null;
    this.#isExamined = row?.examined === 1 || translations.length === 0;
    this.#translations = new Map(translations.map((one) => [one.id, one]));
    this.#languages = new Map(languages.map((one) => [one.language, one]));
  }

  /** Whether there are records of the post. */
  get exists(): boolean {
    return this.#row !== undefined;
  }

  /** Whether the records are other than those that were read. */
  get isChanged(): boolean {
    const { segments = '[]', published = null, post_updated_at = null, examined = 1 } = this.#row ?? {};
    return (
      !this.exists ||
      this.#changed.size + this.#changedLanguages.size > 0 ||
      post_updated_at !== this.#postUpdatedAt ||
      (examined === 1) !== this.#isExamined ||
      segments !== JSON.stringify(this.#listed) ||
      published !== (this.#published && JSON.stringify(this.#published))
    );
  }

  /** Whether all findings are of the present guard. */
  get isExamined(): boolean {
    return this.#isExamined;
  }

  /** `updated_at` of the post when its columns were last compared with the records. */
  get postUpdatedAt(): number | null {
    return this.#postUpdatedAt;
  }

  /**
   * Returns the columns of the post, such as `title_de`, that only a machine has changed since they were last compared with the
   * records, as the programs have said that stored them.
   */
  machineColumns(): ReadonlySet<string> {
    const taken = this.#row?.post_updated_at ?? 0;
    return new Set(this.#machineColumns.filter(({ since }) => since <= taken).map(({ name }) => name));
  }

  /** Returns the segments of the working copy's original with their ids. */
  identify(original: Original): IdentifiedSegment[] {
    return this.#identify(original, [this.#listed, this.#published ?? []]);
  }

  /** Makes this the original of the working copy. Its segments keep their ids across the change from the one before. */
  adopt(original: Original, before: Original | undefined): void {
    if (isListOf(this.#listed, original)) return;
    this.#listed = this.#match(original, before);
  }

  /** Makes this the original that readers see, at this `updated_at` of the post. */
  publish(original: Original, postUpdatedAt: number): void {
    const known = [this.#listed, this.#published ?? []].find((list) => isListOf(list, original));
    this.#published = known ?? this.#match(original, undefined);
    this.#postUpdatedAt = postUpdatedAt;
  }

  /** Returns what a segment says in a language, whichever words of the original that translates. */
  find(segmentId: string, language: Language): TranslationRow | undefined {
    return this.#translations.get(idOf(segmentId, language));
  }

  /** Returns the text of a segment in a language; null when there is none, or it translates other words. */
  current({ id, hash }: Pick<IdentifiedSegment, 'id' | 'hash'>, language: Language): TranslationRow | null {
    const row = this.find(id, language);
    return row && row.text !== null && row.source_hash === hash ? row : null;
  }

  state({ id, hash }: Pick<IdentifiedSegment, 'id' | 'hash'>, language: Language): SegmentState {
    const row = this.find(id, language);
    if (!row || row.text === null) return 'missing';
    return row.source_hash === hash ? row.state : 'outdated';
  }

  /** Tells whether a finding keeps a segment from being released. */
  isBlocked(segment: Pick<IdentifiedSegment, 'id' | 'hash'>, language: Language): boolean {
    const row = this.current(segment, language);
    return row !== null && row.blocks > 0 && row.overruled_at === null;
  }

  /** Tells whether what a model has translated waits for the second reader: nobody has looked at it. The memory has people's words. */
  isUnread(segment: Pick<IdentifiedSegment, 'id' | 'hash'>, language: Language): boolean {
    const row = this.current(segment, language);
    if (row?.state !== 'machine' || row.writer_kind !== 'model' || row.overruled_at !== null) return false;
    return readingOf(row) === null;
  }

  /** Writes a text for the present words of a segment. A text that is replaced is kept. */
  write(segment: IdentifiedSegment, language: Language, change: TextChange, from: Language | null): void {
    const before = this.find(segment.id, language);
    const text = change.text?.trim() || null;
    const isSamePair = before?.text === text && before?.source_hash === segment.hash;
    const state = text === null ? 'missing' : stateOf(change.writer);
    if (before && before.text !== text && (change.keeps || !this.#isTyped(before, segment, change.writer)))
      this.#keep(before);
    this.#put({
      ...(isSamePair && before ? before : this.#blank(segment, language, before)),
      text,
      state,
      ...columnsOf(change.writer),
      findings: this.#examine({ text: segment.text, language: from }, { text, language }),
      reviewed_by: null,
      reviewed_at: null,
    });
  }

  /** Writes a machine's text, or puts it beside one that is protected. */
  writeAsMachine(
    segment: IdentifiedSegment,
    language: Language,
    change: TextChange,
    from: Language | null,
  ): void {
    const before = this.find(segment.id, language);
    if (before && isProtected(before)) this.propose(segment, before, change.text);
    else this.write(segment, language, change, from);
  }

  /** Notes that an account has read a text and found that it says what the original says now. */
  review(segment: IdentifiedSegment, language: Language, userId: string, from: Language | null): void {
    const before = this.find(segment.id, language);
    if (!before || before.text === null) return;
    const isSamePair = before.source_hash === segment.hash;
    const { writer_kind, writer_name, user_id, text } = before;
    this.#put({
      ...(isSamePair ? before : this.#blank(segment, language, before)),
      ...{ text, writer_kind, writer_name, user_id },
      findings: this.#examine({ text: segment.text, language: from }, { text, language }),
      ...{ state: 'reviewed', reviewed_by: userId, reviewed_at: this.#now },
      ...{ proposal: null, proposal_hash: null },
    });
  }

  /** Puts a machine's words beside a text that a person is responsible for. */
  propose(segment: IdentifiedSegment, row: TranslationRow, proposal: string | null): void {
    this.note(row, { proposal, proposal_hash: proposal === null ? null : segment.hash });
  }

  /** Stores what a machine says of a text. Its version stays: it speaks of what people write and decide. Returns the new row. */
  note(
    row: TranslationRow,
    changes: Partial<Pick<TranslationRow, 'findings' | 'reading' | 'proposal' | 'proposal_hash'>>,
  ): TranslationRow {
    const noted = { ...row, ...changes };
    return this.#store({ ...noted, blocks: countHolds(noted) });
  }

  /** Has the guard examine all texts anew, where their findings are of an earlier one; those of an original in an unknown language stay. */
  async examineAnew(from: Language | null): Promise<void> {
    const texts = from === null ? [] : this.all().filter(({ text }) => text !== null);
    for (const [at, row] of texts.entries()) {
      if (at % EXAMINED_AT_ONCE === 0) await nextTurn();
      const findings = this.#examine({ text: row.source_text, language: from }, row);
      if (findings !== row.findings || countHolds(row) !== row.blocks) this.note(row, { findings });
    }
    this.#isExamined = true;
  }

  /** Changes what a person says about a text, and not the text. */
  mark(row: TranslationRow, changes: Partial<TranslationRow>): void {
    this.#put({ ...row, ...changes });
  }

  language(language: Language): PostLanguageRow {
    return (
      this.#languages.get(language) ?? {
        id: `${this.postId}_${language}`,
        post_id: this.postId,
        language,
        state: 'none',
        rule: 'checked',
        ...countSegments([]),
        columns_hash: null,
        released_at: null,
        user_id: null,
        updated_at: this.#now,
      }
    );
  }

  setLanguage(language: Language, changes: Partial<PostLanguageRow>): void {
    this.#languages.set(language, { ...this.language(language), ...changes, updated_at: this.#now });
    this.#changedLanguages.add(language);
  }

  /** Returns every text of the post. */
  all(): readonly TranslationRow[] {
    return [...this.#translations.values()];
  }

  /** Plans what has changed. Nothing is written if somebody else has written the records of the post meanwhile. */
  plans(plans: ServicePlans, original: Original, targets: readonly Language[]): TablePlan[] {
    this.#count(original, targets);
    const row = {
      id: this.postId,
      version: (this.#row?.version ?? 0) + 1,
      segments: JSON.stringify(this.#listed),
      published: this.#published && JSON.stringify(this.#published),
      post_updated_at: this.#postUpdatedAt,
      examined: this.#isExamined ? 1 : null,
      updated_at: this.#now,
    };
    const { id: _, ...changes } = row;
    const inVersion = allOf(equals('id', this.postId), equals('version', this.#row?.version ?? 0));
    const put = (table: string, rows: readonly (TranslationRow | VersionRow | PostLanguageRow)[]) =>
      rows.length > 0 ? [plans.put(table, rows)] : [];
    const written = [...this.#changed].flatMap((id) => this.#translations.get(id) ?? []);
    return [
      this.#row
        ? plans.update('post_segments', inVersion, { changes, single: true })
        : plans.create('post_segments', row),
      ...put('segment_translations', written),
      ...rememberTexts(plans, written, original.language),
      ...put('segment_versions', this.#versions),
      ...put(
        'post_languages',
        [...this.#changedLanguages].map((language) => this.language(language)),
      ),
    ];
  }

  #identify(original: Original, lists: readonly (readonly ListedSegment[])[]): IdentifiedSegment[] {
    const list = lists.find((one) => isListOf(one, original));
    const byHash = list ? undefined : this.#idsByHash();
    const used = new Set<string>();
    return original.segments.map((segment, at) => {
      const id = list?.[at]?.id ?? byHash?.get(segment.hash)?.find((one) => !used.has(one)) ?? `none${at}`;
      used.add(id);
      return { ...segment, id };
    });
  }

  /** Returns the segments of an original, which have the ids of those of the working copy that they are. */
  #match(original: Original, before: Original | undefined): ListedSegment[] {
    const isKnown = before !== undefined && isListOf(this.#listed, before);
    const texts = new Map(this.all().map(({ source_hash, source_text }) => [source_hash, source_text]));
    return matchSegments({
      before: this.#listed.map((segment, at) => ({
        ...segment,
        text: (isKnown ? before.segments[at]?.text : texts.get(segment.hash)) ?? '',
      })),
      after: original.segments,
      removed: this.#idsByHash(),
      newId: newIds('segment_'),
    });
  }

  /** The ids of the segments whose translations are of these words, those of the present original first. */
  #idsByHash(): Map<string, string[]> {
    const ids = new Map<string, string[]>();
    const add = (hash: string, id: string) => {
      const known = ids.get(hash) ?? [];
      if (!known.includes(id)) ids.set(hash, [...known, id]);
    };
    for (const { id, hash } of [...this.#listed, ...(this.#published ?? [])]) add(hash, id);
    for (const { segment_id, source_hash } of this.#translations.values()) add(source_hash, segment_id);
    return ids;
  }

  #blank(segment: IdentifiedSegment, language: Language, before: TranslationRow | undefined): TranslationRow {
    return {
      id: idOf(segment.id, language),
      post_id: this.postId,
      segment_id: segment.id,
      language,
      text: null,
      state: 'missing',
      ...columnsOf({ kind: 'unknown' }),
      source_hash: segment.hash,
      source_text: segment.text,
      ...{ proposal: null, proposal_hash: null, findings: null, blocks: 0, reading: null },
      ...{ overruled_by: null, overruled_reason: null, overruled_at: null },
      ...{ reviewed_by: null, reviewed_at: null },
      version: before?.version ?? 0,
      updated_at: this.#now,
    };
  }

  /** Returns what the guard says of a pair of texts, as it is stored. */
  #examine(
    source: TextPair['source'],
    { text, language }: { text: string | null; language: Language },
  ): string | null {
    const findings = text === null ? [] : examine({ source, target: { text, language } }, this.terms);
    return findings.length > 0 ? JSON.stringify(findings) : null;
  }

  #put(row: TranslationRow): void {
    const version = this.#edited.has(row.id) ? row.version : row.version + 1;
    this.#edited.add(row.id);
    this.#store({ ...row, blocks: countHolds(row), version, updated_at: this.#now });
  }

  #store(row: TranslationRow): TranslationRow {
    this.#translations.set(row.id, row);
    this.#changed.add(row.id);
    return row;
  }

  /** Tells whether an account types on at its own text, of which every few minutes one is kept. */
  #isTyped(row: TranslationRow, segment: IdentifiedSegment, writer: Writer): boolean {
    const isOwn = writer.kind === 'person' && row.user_id === writer.userId && row.state === 'edited';
    return isOwn && row.source_hash === segment.hash && this.#now - row.updated_at < KEEP_EVERY_MS;
  }

  #keep(row: TranslationRow): void {
    const { id, text, state, version, writer_kind, writer_name, user_id, source_text, updated_at } = row;
    if (text === null) return;
    this.#versions.push({
      id: newId('text_'),
      translation_id: id,
      ...{ version, text, state, writer_kind, writer_name, user_id, source_text, created_at: updated_at },
    });
  }

  #count(original: Original, targets: readonly Language[]): void {
    const segments = this.identify(original);
    for (const language of targets) {
      const counts = countSegments(
        segments.map((segment) => ({
          state: this.state(segment, language),
          isBlocked: this.isBlocked(segment, language),
        })),
      );
      const known = this.#languages.get(language);
      const isSame = known && SEGMENT_COUNTS.every((name) => known[name] === counts[name]);
      if (!isSame) this.setLanguage(language, counts);
    }
  }
}

/** Returns a function that returns new ids, thousands at once: random bytes for each would hold up the thread. */
function newIds(prefix: string): () => string {
  const stem = newId(prefix);
  let count = 0;
  return () => {
    count += 1;
    return `${stem}${count.toString(16).padStart(4, '0')}`;
  };
}

function newId(prefix: string): string {
  return `${prefix}${randomBytes(10).toString('hex')}`;
}

function idOf(segmentId: string, language: Language): string {
  return `${segmentId}_${language}`;
}

function isListOf(list: readonly ListedSegment[], { segments }: Original): boolean {
  return (
    list.length === segments.length &&
    list.every(({ part, hash, kind }, at) => {
      const segment = segments[at];
      return segment?.part === part && segment.hash === hash && segment.kind === kind;
    })
  );
}
