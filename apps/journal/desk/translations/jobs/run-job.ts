import { AppError, type TextModel } from '@fabrica/backend';
import { can } from '@fabrica/contract';
import type { Kysely } from 'kysely';
import type { Language } from '../../../project/languages.ts';
import { roles } from '../../../project/roles.ts';
import { inlineWords } from '../../../segments/inline-marks.ts';
import type { JobContext } from '../../desk-context.ts';
import type { Terms } from '../glossary/glossary.ts';
import { findExact, findSimilar } from '../memory/memory.ts';
import { findWanted, type WantedTexts } from '../records/machine-texts.ts';
import { type Brief, loadBrief } from './briefs.ts';
import { countWords, JobOutput } from './job-output.ts';
import { type AskedText, askedText, type JobRow, languagesIn, segmentsOf } from './job-rows.ts';
import { findForeign, judgeTranslation } from './judge-translation.ts';
import { MAX_CHARACTERS, type WantedSegment } from './plan-batches.ts';
import { type BatchPrompt, systemPrompt, userPrompt } from './prompts.ts';
import { type Question, type SegmentFault, translateTexts } from './translate-texts.ts';

interface JobRun {
  desk: JobContext;
  model: TextModel;
  job: JobRow;
  signal: AbortSignal;
  /** The texts that earlier runs of the job have asked for, and of which words: this one leaves them out and adds to them. */
  done: Set<string>;
  /** Milliseconds after the first call that failed. */
  firstPauseMs?: number | undefined;
  /** Is called with the number of words that are still to be translated, whenever that is planned. */
  onPlanned(words: number): Promise<void>;
  /** Is called with the number of words that have just been written. */
  onWritten(words: number): Promise<void>;
  /** Is called when all that can be written in a language is written. */
  onLanguageEnded(language: Language): Promise<void>;
}

/** Says what a job could not do. */
export type JobFault = SegmentFault | null;

/** Tokens of a response: as many as the longest language takes for such a text, and room for models that think first. */
const tokensFor = (characters: number) => Math.ceil(characters * 0.7) + 1_000;

/** Pairs of the memory that a batch is shown at most. */
const MAX_SIMILAR = 5;
/** Characters before and after a batch that are shown of a text that is longer than a call, and of the translation before it. */
const CONTEXT_CHARACTERS = 400;
const TRANSLATED_CHARACTERS = 600;
/** Milliseconds that a brief is waited for. */
const BRIEF_MS = 60_000;

/**
 * Translates what a post needs now: from the memory where it has these very words, and else by the model. Returns why
 * segments are left without a translation; null when none is. Throws AI_NOT_CONFIGURED, AI_QUOTA_EXCEEDED, RATE_LIMITED
 * beyond the account's bytes of a day, and the reason of the signal.
 */
export async function runJob(run: JobRun): Promise<JobFault> {
  const { desk, job } = run;
  const asked = job.segments === null ? undefined : segmentsOf(job.segments);
  const found = await findWanted(desk, job.post_id, {
    userId: job.user_id,
    languages: languagesIn(job),
    segments: asked?.map((id) => id.replace(/_[a-z]+$/, '')),
  });
  const { source } = found;
  if (source === null) return null;
  const post: JobPost = { ...found, source };
  const wanted = wantedSegments(post, (id, hash) => {
    if (run.done.has(`${id} ${hash}`) || !(asked?.includes(id) ?? true)) return false;
    run.done.add(`${id} ${hash}`);
    return true;
  });
  const all = [...wanted.values()].flat();
  await run.onPlanned(all.reduce((words, { text, ids }) => words + ids.length * countWords(text), 0));
  const output = new JobOutput(run, post.segments);
  const left = await takeKnown(run, { post, wanted, output });
  for (const [language, segments] of left) {
    if (segments.length > 0) continue;
    left.delete(language);
    await run.onLanguageEnded(language);
  }
  const fault = left.size > 0 ? await askModel(run, { post, wanted: left, output }) : null;
  return fault ?? (output.hasHeld ? 'unusable' : null);
}

/** The segments of a post, and those that are wanted. */
interface JobPost extends WantedTexts {
  source: Language;
}

/** Returns what is asked for in each language: segments with the same words are asked for once. */
function wantedSegments(
  { segments, wanted }: JobPost,
  isAsked: (id: AskedText, hash: string) => boolean,
): Map<Language, WantedSegment[]> {
  const positions = new Map(segments.map(({ id }, position) => [id, position]));
  return new Map(
    [...wanted].map(([language, list]) => {
      const open = list.filter(({ id, hash }) => isAsked(askedText(id, language), hash));
      const alike = Map.groupBy(open, ({ hash }) => hash);
      const asked = [...alike.values()].map((same) => ({
        ids: same.map(({ id }) => id),
        text: same[0]?.text ?? '',
        position: positions.get(same[0]?.id ?? '') ?? 0,
      }));
      return [language, asked];
    }),
  );
}

interface Work {
  post: JobPost;
  wanted: Map<Language, WantedSegment[]>;
  output: JobOutput;
}

/** Writes what needs no model, and returns what is left: code and bare addresses stay as they are, and the memory has been asked before. */
async function takeKnown({ desk, job }: JobRun, { post, wanted, output }: Work): Promise<Work['wanted']> {
  const left: Work['wanted'] = new Map();
  // Who asks for a segment once more wants other words than those of the memory.
  const asksAnew = job.segments !== null;
  for (const [language, segments] of wanted) {
    const hashOf = (segment: WantedSegment) => post.segments[segment.position]?.hash ?? '';
    const known = asksAnew
      ? new Map<string, string>()
      : await findExact(
          desk,
          { source: post.source, target: language },
          { hashes: segments.map(hashOf), userId: job.user_id },
        );
    const open: WantedSegment[] = [];
    for (const segment of segments) {
      const isCode = post.segments[segment.position]?.kind === 'code';
      const isWordless = !/[\p{L}\p{N}]/u.test(inlineWords(segment.text));
      const text = isCode || isWordless ? segment.text : known.get(hashOf(segment));
      if (text === undefined) open.push(segment);
      else output.add(segment, { language, text, writer: { kind: 'memory', name: null } });
    }
    left.set(language, open);
  }
  await output.written();
  return left;
}

async function askModel(run: JobRun, { post, wanted, output }: Work): Promise<JobFault> {
  const { desk, model, job, signal, firstPauseMs } = run;
  const { source } = post;
  const terms = await desk.glossary.load();
  const seesAll = await maySeeAll(desk, job.user_id);
  const writer = { kind: 'model' as const, name: model.name ?? null };
  let fault: JobFault = null;
  const briefs = new Map<Language, Promise<Brief | null>>();
  const translated = new Map<Language, string[]>();
  await translateTexts({
    wanted,
    source,
    concurrency: model.concurrency,
    signal,
    ...(firstPauseMs !== undefined && { firstPauseMs }),
    wordsToKeep: (text, language) =>
      terms.find(text, source, language).flatMap((term) => (term.target === null ? term.source : [])),
    async ask(question, onWords) {
      const { language } = question;
      const brief = briefs.get(language) ?? briefOf(run, { post, language, terms });
      briefs.set(language, brief);
      const prompt = await buildPrompt(run, {
        ...{ post, question, terms, seesAll },
        brief: await brief,
        translated: translated.get(language) ?? [],
      });
      const characters = question.texts.reduce((sum, text) => sum + text.length, 0);
      await model.generate({
        project: desk.project,
        account: job.user_id,
        ...prompt,
        maxTokens: tokensFor(characters),
        temperature: 0,
        signal,
        onPiece: onWords,
      });
    },
    judge: (text, translation, language) =>
      judgeTranslation(
        { source: { text, language: source }, target: { text: translation, language } },
        terms,
      ),
    async onTranslated(segment, language, text) {
      const known = translated.get(language) ?? [];
      known[segment.position] = text;
      translated.set(language, known);
      output.add(segment, { language, text, writer });
    },
    async onWithdrawn(segment, language) {
      output.add(segment, { language, text: null, writer });
    },
    async onFailed(_, __, why) {
      // A provider that does not respond is the graver reason.
      fault = fault === 'provider' ? fault : why;
    },
    async onLanguageEnded(language) {
      const texts = (wanted.get(language) ?? []).flatMap((segment) => {
        const target = translated.get(language)?.[segment.position];
        return target === undefined ? [] : [{ segment, source: segment.text, target }];
      });
      for (const { segment } of findForeign(texts, [source, language])) {
        output.add(segment, { language, text: null, writer });
        fault ??= 'unusable';
      }
      await output.written();
      await run.onLanguageEnded(language);
    },
  });
  return fault;
}

/** Returns the brief of a text in a language. One that cannot be made hinders nothing. */
async function briefOf(
  { desk, model, job, signal }: JobRun,
  { post, language, terms }: { post: JobPost; language: Language; terms: Terms },
): Promise<Brief | null> {
  const { source, segments } = post;
  const made = loadBrief(desk.project.database, {
    ...{ postId: job.post_id, source, target: language, segments, terms, now: desk.now() },
    async ask(prompt) {
      const { text } = await model.generate({
        ...{ project: desk.project, account: job.user_id, maxTokens: tokensFor(0), temperature: 0 },
        ...{ ...prompt, signal: AbortSignal.any([signal, AbortSignal.timeout(BRIEF_MS)]) },
      });
      return text;
    },
  });
  return made.catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) desk.log.warn({ err: error, job: job.id }, 'A brief could not be made');
    return null;
  });
}

interface BatchContext {
  post: JobPost;
  question: Question;
  terms: Terms;
  seesAll: boolean;
  brief: Brief | null;
  /** The translations so far, at the positions of their segments. */
  translated: readonly string[];
}

/** Returns what the model is asked: a batch with the texts around it, the terms in it, and what the memory knows. */
async function buildPrompt(
  { desk, job }: JobRun,
  { post, question, terms, seesAll, brief, translated }: BatchContext,
): Promise<{ system: string; prompt: string }> {
  const { language, pieces, texts, tag, earlier } = question;
  const { source, format, segments } = post;
  const positions = pieces.map(({ segment }) => segment.position);
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  const direction = { source, target: language };
  const similar = await Promise.all(
    pieces.map(({ text }) => findSimilar(desk, direction, { text, userId: job.user_id, seesAll })),
  );
  const wordsIn = (some: JobPost['segments']) => some.map(({ text }) => inlineWords(text)).join('\n');
  const length = segments.reduce((sum, { text }) => sum + text.length, 0);
  const shown = length <= MAX_CHARACTERS ? MAX_CHARACTERS : CONTEXT_CHARACTERS;
  const prompt: BatchPrompt = {
    ...{ source, target: language, texts, tag, earlier, brief, isMarkdown: format === 'markdown' },
    kinds: positions.map((position) => segments[position]?.kind ?? 'paragraph'),
    title: first === 0 ? '' : titleOf(post),
    section: segments.slice(0, first).findLast(({ kind }) => kind === 'heading')?.text ?? '',
    before: wordsIn(segments.slice(0, first).filter(({ part }) => part !== 'title')).slice(-shown),
    after: wordsIn(segments.slice(last + 1)).slice(0, shown),
    translated: translated
      .slice(0, first)
      .filter(Boolean)
      .slice(-2)
      .map(inlineWords)
      .join('\n')
      .slice(-TRANSLATED_CHARACTERS),
    terms: terms.find(pieces.map(({ text }) => text).join('\n'), source, language),
    similar: similar
      .flatMap(([best]) =>
        best ? [{ source: inlineWords(best.source), target: inlineWords(best.text) }] : [],
      )
      .slice(0, MAX_SIMILAR),
  };
  return { system: systemPrompt(prompt), prompt: userPrompt(prompt) };
}

/** Tells whether an account may see the texts of unpublished posts of others. */
async function maySeeAll({ project }: JobContext, userId: string): Promise<boolean> {
  const user = await (project.database.reader as Kysely<{ users: { id: string; role: string } }>)
    .selectFrom('users')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user !== undefined && can(roles, user.role, 'translations.review');
}

function titleOf({ segments }: JobPost): string {
  return segments.find(({ part }) => part === 'title')?.text ?? '';
}
