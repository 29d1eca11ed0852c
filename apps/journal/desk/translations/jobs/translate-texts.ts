import { setTimeout as wait } from 'node:timers/promises';
import type { AppError } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import { AnswerReader, readAnswers } from '../../../segments/answers/read-answer.ts';
import { chooseSign, protectMarks } from '../../../segments/protect-marks.ts';
import { chooseTag } from './batch-format.ts';
import { isPassing, MAX_CALLS, pauseAfter } from './call-pauses.ts';
import { divide, type Piece, planBatches, type WantedSegment } from './plan-batches.ts';

/** A batch as the model is asked for it. */
export interface Question {
  language: Language;
  pieces: readonly Piece[];
  /** The texts of the pieces, with placeholders for what must stay as it is. */
  texts: readonly string[];
  /** What the model has answered for each of them before, and what is wrong with it. */
  earlier: readonly (FaultyAnswer | undefined)[];
  /** The name of the element around each text. */
  tag: string;
}

/** Tells how good a translation of one text is. */
export interface Judgement {
  /** False for one that nobody may be shown, such as one in another language. */
  isUsable: boolean;
  /** Tells how much the guard has found in it; one without faults is taken at once. */
  faults: number;
  /** What is wrong with it, in sentences that the model is told. */
  reasons: readonly string[];
}

export interface FaultyAnswer {
  /** With placeholders, as the model wrote it. */
  text: string;
  reasons: readonly string[];
}

/** Says why a segment has no translation: its calls failed, or nothing that came was a translation. */
export type SegmentFault = 'provider' | 'unusable';

export interface TranslateOptions {
  wanted: ReadonlyMap<Language, readonly WantedSegment[]>;
  /** The language of the original. */
  source: Language;
  /** Calls at a time. */
  concurrency: number;
  signal: AbortSignal;
  /** Asks the model. `onWords` takes each piece of its response as it comes. */
  ask(question: Question, onWords: (words: string) => void): Promise<void>;
  judge(source: string, text: string, language: Language): Judgement;
  /** Returns the words of a text that stay as they are in a language. */
  wordsToKeep?(text: string, language: Language): readonly string[];
  /** Takes the translation of a whole segment, while the model still writes the next ones. */
  onTranslated(segment: WantedSegment, language: Language, text: string): Promise<void>;
  /** Is called with a segment whose translation the rest of the response has made doubtful: it was no translation after all. */
  onWithdrawn(segment: WantedSegment, language: Language): Promise<void>;
  /** Is called with a segment that the model did not translate, however it was asked. */
  onFailed(segment: WantedSegment, language: Language, fault: SegmentFault): Promise<void>;
  /** Is called when each segment of a language is translated or has failed. */
  onLanguageEnded(language: Language): Promise<void>;
  /** Milliseconds after the first call that failed. */
  firstPauseMs?: number;
}

/** A text is asked for so often: in its batch, in half of it, then alone. */
const MAX_QUESTIONS = 4;
/** Faulty translations are asked for once more, with what is wrong with them, and the better ones are taken. */
const MAX_DOUBTFUL = 2;
/**
 * Where most of so many texts of a first response are wrong, as in another language or under the numbers of others, the rest of them are
 * asked for again as well: a cell of two words does not tell.
 */
const FEWEST_TO_DOUBT = 4;
/** After so many failures in a row, a call is made with half of the texts. */
const HALVED_AFTER: readonly number[] = [2, 4];

interface Task {
  language: Language;
  pieces: readonly Piece[];
  /** Tells how often these texts were asked for before. */
  questions: number;
  /** Tells how many calls for them have failed in a row. */
  failures: number;
  /** Epoch ms. */
  notBefore: number;
}

interface Candidate {
  text: string;
  /** The same as the model wrote it. */
  answer: string;
  faults: number;
}

/**
 * Translates segments into languages at the same time, the batches of a language one after the other, so that each is translated
 * in the knowledge of what comes before. What a response lacks is asked for again, and only that. A slow language holds up no other. Throws when no further call can succeed: AI_NOT_CONFIGURED, AI_QUOTA_EXCEEDED, what
 * `onTranslated` throws, or the reason of the signal.
 */
export async function translateTexts(options: TranslateOptions): Promise<void> {
  await new TextTranslation(options).run();
}

class TextTranslation {
  readonly #options: TranslateOptions;
  readonly #waiting: Task[] = [];
  /** The batches of each language that are not asked for yet. */
  readonly #batches = new Map<Language, Piece[][]>();
  readonly #running = new Map<Promise<void>, Language>();
  /** The best faulty translation of each piece so far. */
  readonly #candidates = new Map<string, Candidate>();
  /** The last faulty answer for each piece. */
  readonly #earlier = new Map<string, FaultyAnswer>();
  /** The translations of the pieces of a segment, until all are there. */
  readonly #parts = new Map<string, string[]>();

  constructor(options: TranslateOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { wanted, source } = this.#options;
    for (const [language, segments] of wanted) {
      this.#batches.set(language, planBatches(segments, source));
      this.#waitForNext(language);
    }
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, stop.signal]);
    try {
      while (this.#waiting.length + this.#running.size > 0) {
        signal.throwIfAborted();
        this.#startDue(signal);
        await this.#nextEvent(signal);
      }
    } catch (error) {
      stop.abort(error);
      await Promise.allSettled(this.#running.keys());
      throw error;
    }
  }

  /** Makes the next batch of a language due. */
  #waitForNext(language: Language): void {
    const pieces = this.#batches.get(language)?.shift();
    if (pieces) this.#waiting.push({ language, pieces, questions: 0, failures: 0, notBefore: 0 });
  }

  /** Starts the tasks that are due, that of the language with the fewest calls under way first. */
  #startDue(signal: AbortSignal): void {
    const callsOf = (language: Language) =>
      [...this.#running.values()].filter((one) => one === language).length;
    while (this.#running.size < this.#options.concurrency) {
      const due = this.#waiting.filter(({ notBefore }) => notBefore <= Date.now());
      const [task] = due.sort((one, other) => callsOf(one.language) - callsOf(other.language));
      if (!task) return;
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      const isFirst = task.questions + task.failures === 0;
      const run: Promise<void> = this.#ask(task, signal)
        .then(() => (isFirst ? this.#waitForNext(task.language) : undefined))
        .then(() => this.#endLanguage(task.language, run))
        .finally(() => this.#running.delete(run));
      // It is awaited below; this keeps one that fails together with another from being unhandled.
      run.catch(() => undefined);
      this.#running.set(run, task.language);
    }
  }

  /** Tells that nothing is left to do in a language, if the call that has just ended was its last one. */
  async #endLanguage(language: Language, last: Promise<void>): Promise<void> {
    const isOpen =
      (this.#batches.get(language)?.length ?? 0) > 0 ||
      this.#waiting.some((task) => task.language === language) ||
      [...this.#running].some(([run, one]) => one === language && run !== last);
    if (!isOpen) await this.#options.onLanguageEnded(language);
  }

  /** Waits until a call ends, or the pause of one is over. */
  async #nextEvent(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const isFull = this.#running.size >= this.#options.concurrency;
    const next = Math.min(...this.#waiting.map(({ notBefore }) => notBefore));
    const pause =
      isFull || this.#waiting.length === 0
        ? []
        : [
            wait(Math.max(0, next - Date.now()), undefined, {
              signal: AbortSignal.any([signal, over.signal]),
            }),
          ];
    try {
      await Promise.race([...this.#running.keys(), ...pause]);
    } finally {
      over.abort();
      for (const one of pause) one.catch(() => undefined);
    }
  }

  async #ask(task: Task, signal: AbortSignal): Promise<void> {
    const { language, pieces } = task;
    const sign = chooseSign(pieces.map(({ text }) => text));
    const sources = pieces.map((piece) => this.#protect(piece, language, sign).text);
    const tag = chooseTag(sources);
    const earlier = pieces.map((piece) => this.#earlier.get(keyOf(piece, language)));
    let response = '';
    const seen = new Map<Piece, string>();
    const taken = new Set<Piece>();
    const takeNew = async (answers: Iterable<[number, string | null]>) => {
      for (const [number, text] of answers) {
        const piece = pieces[number - 1];
        if (!piece || text === null || seen.has(piece)) continue;
        seen.set(piece, text);
        if (await this.#take(task, piece, { answer: text, sign })) taken.add(piece);
      }
    };
    const reader = new AnswerReader(tag, sources);
    let taking = Promise.resolve();
    const onWords = (words: string) => {
      response += words;
      const answers = reader.read(words);
      if (answers.length > 0) taking = taking.then(() => takeNew(answers));
    };
    let failure: AppError | undefined;
    try {
      await this.#options.ask({ language, pieces, texts: sources, earlier, tag }, onWords);
    } catch (error) {
      signal.throwIfAborted();
      failure = requirePassing(error);
    } finally {
      await taking;
    }
    const meant = readAnswers(response, tag, sources);
    for (const [piece, text] of seen) {
      if (meant.get(pieces.indexOf(piece) + 1) === text) continue;
      await this.#withdraw(piece, language, text);
      seen.delete(piece);
      taken.delete(piece);
    }
    await takeNew(meant);
    if (task.questions === 0 && seen.size >= FEWEST_TO_DOUBT && taken.size < seen.size / 2) {
      for (const piece of taken) await this.#withdraw(piece, language, seen.get(piece) ?? '');
      taken.clear();
    }
    const missing = pieces.filter((piece) => !taken.has(piece));
    if (missing.length === 0) return;
    if (!failure) return this.#retryMissing(task, missing);
    const failures = missing.length < pieces.length ? 1 : task.failures + 1;
    await this.#retryCall({ ...task, pieces: missing, failures }, failure);
  }

  #protect({ text }: Piece, language: Language, sign: string) {
    return protectMarks(text, { sign, keep: this.#options.wordsToKeep?.(text, language) ?? [] });
  }

  /** Takes a translation unless another one is to be asked for. Returns whether it was taken. */
  async #take(
    task: Task,
    piece: Piece,
    { answer, sign }: { answer: string; sign: string },
  ): Promise<boolean> {
    const { language, questions } = task;
    const key = keyOf(piece, language);
    const restored = this.#protect(piece, language, sign).restore(answer);
    if (!('text' in restored)) {
      this.#earlier.set(key, { text: answer, reasons: describePlaceholders(restored) });
      return false;
    }
    const { text } = restored;
    const { isUsable, faults, reasons } = this.#options.judge(piece.text, text, language);
    if (reasons.length > 0) this.#earlier.set(key, { text: answer, reasons });
    if (!isUsable) return false;
    const former = this.#candidates.get(key);
    const best = former && former.faults <= faults ? former : { text, answer, faults };
    this.#candidates.set(key, best);
    if (best.faults > 0 && questions + 1 < MAX_DOUBTFUL) return false;
    await this.#settle(piece, language, best.text);
    return true;
  }

  async #settle(piece: Piece, language: Language, text: string): Promise<void> {
    const key = `${language} ${piece.segment.ids[0]}`;
    const parts = this.#parts.get(key) ?? [];
    parts[piece.index] = text + (piece.index < piece.count - 1 ? piece.after : '');
    this.#parts.set(key, parts);
    const isWhole = Object.keys(parts).length === piece.count;
    if (isWhole) await this.#options.onTranslated(piece.segment, language, parts.join(''));
  }

  /** Takes a text back that the rest of its response has made doubtful. */
  async #withdraw(piece: Piece, language: Language, answer: string): Promise<void> {
    const candidate = keyOf(piece, language);
    if (this.#candidates.get(candidate)?.answer === answer) this.#candidates.delete(candidate);
    this.#earlier.delete(candidate);
    const parts = this.#parts.get(`${language} ${piece.segment.ids[0]}`);
    if (parts?.[piece.index] === undefined) return;
    const wasWhole = Object.keys(parts).length === piece.count;
    delete parts[piece.index];
    if (wasWhole) await this.#options.onWithdrawn(piece.segment, language);
  }

  /** Makes a failed call again, after a pause. Too many in a row, and its segments have failed. */
  async #retryCall(task: Task, failure: AppError): Promise<void> {
    const { pieces, failures } = task;
    if (failures >= MAX_CALLS) {
      for (const piece of pieces) await this.#giveUp(piece, task.language, 'provider');
      return;
    }
    const notBefore = Date.now() + pauseAfter(failure, failures, this.#options.firstPauseMs);
    const parts = HALVED_AFTER.includes(failures) ? divide(pieces, Math.min(2, pieces.length)) : [pieces];
    for (const part of parts) this.#waiting.push({ ...task, pieces: part, notBefore });
  }

  /** Asks for what a response lacks: in halves, then one by one. Doubtful translations are corrected together. */
  async #retryMissing(task: Task, missing: readonly Piece[]): Promise<void> {
    const { language } = task;
    const questions = task.questions + 1;
    const open: Piece[] = [];
    for (const piece of missing) {
      const candidate = this.#candidates.get(keyOf(piece, language));
      if (candidate && questions >= MAX_DOUBTFUL) await this.#settle(piece, language, candidate.text);
      else if (questions < MAX_QUESTIONS) open.push(piece);
      else await this.#giveUp(piece, language, 'unusable');
    }
    const isDoubtful = (piece: Piece) => this.#candidates.has(keyOf(piece, language));
    const others = open.filter((piece) => !isDoubtful(piece));
    const groups = [
      open.filter(isDoubtful),
      ...(questions === 1 ? divide(others, Math.min(2, others.length)) : others.map((piece) => [piece])),
    ];
    for (const pieces of groups.filter(({ length }) => length > 0))
      this.#waiting.push({ language, pieces, questions, failures: 0, notBefore: 0 });
  }

  async #giveUp(piece: Piece, language: Language, fault: SegmentFault): Promise<void> {
    // The pieces of one segment fail once.
    const key = `failed ${language} ${piece.segment.ids[0]}`;
    if (this.#parts.has(key)) return;
    this.#parts.set(key, []);
    await this.#options.onFailed(piece.segment, language, fault);
  }
}

function keyOf({ segment, index }: Piece, language: Language): string {
  return `${language} ${segment.ids[0]} ${index}`;
}

function describePlaceholders({ lost, added }: { lost: string[]; added: string[] }): string[] {
  return [
    ...(lost.length > 0 ? [`It has lost ${lost.join(', ')}.`] : []),
    ...(added.length > 0 ? [`It has ${added.join(', ')}, which the text does not have there.`] : []),
  ];
}

/** Returns an error after which a further call may succeed. Throws any other. */
function requirePassing(error: unknown): AppError {
  if (isPassing(error)) return error;
  throw error;
}
