import { decodeEntities } from './entities.ts';
import { isRefusal } from './refusals.ts';

/**
 * The one reader of what a model writes for a text: `readAnswer` for a response that is one text, `readAnswers` for one of
 * numbered texts. Browsers import it too.
 */

/** Names of the element in which a model thinks. */
const THINKING = 'think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad|seed:think';
const OPENING = `<(?:${THINKING})(?:\\s[^>]*)?>|\\[THINK\\]|◁think▷|<\\|(?:begin_of_thought|START_THINKING)\\|>`;
const CLOSING = `</(?:${THINKING})>|\\[/THINK\\]|◁/think▷|<\\|(?:end_of_thought|END_THINKING)\\|>`;
/** The channel in which a model of OpenAI's format says what it wants to be read. */
const FINAL_CHANNEL = /^[\s\S]*<\|channel\|>\s*final\s*(?:<\|constrain\|>[^<]*)?<\|message\|>/i;

/**
 * Returns a response without the reasoning of the model. Its beginning may be missing, when it stood in the prompt already;
 * of a response that ends while the model thinks, nothing is left of it.
 */
function withoutReasoning(response: string, source: string): string {
  if (new RegExp(`${OPENING}|${CLOSING}`, 'i').test(source)) return response;
  return response
    .replace(FINAL_CHANNEL, '')
    .replaceAll(new RegExp(`(?:${OPENING})(?:(?!${OPENING})[\\s\\S])*?(?:${CLOSING})`, 'gi'), '')
    .replace(new RegExp(`^[\\s\\S]*(?:${CLOSING})`, 'i'), '')
    .replace(new RegExp(`(?:${OPENING})[\\s\\S]*$`, 'i'), '');
}

/** Matches the signs between which models hear and speak, of which some servers leave the last one in the text. */
const TOKEN =
  /(<[|｜][^<>|｜\s]{1,40}[|｜]>|<\/?s>|<(?:start|end)_of_turn>|<\/?(?:eos|bos|pad|unk)>|\[\/?INST\]|<<\/?SYS>>)/i;
/** Those of them that end what a model says: it hears or says something else after them. */
const END =
  /^(?:<\/s>|<end_of_turn>|<eos>|\[\/?INST\]|<[|｜].*(?:end|eot|eom|eos|return|user|assistant|start).*[|｜]>)$/i;
const ROLE = /^(?:assistant|model|user|system|final)?$/i;

/** Returns the first text between such signs; nothing where one stands within it that ends nothing. */
function withoutTokens(text: string, source: string): string {
  if (TOKEN.test(source) || !TOKEN.test(text)) return text;
  // Each second part is a sign.
  const parts = text.split(new RegExp(TOKEN, 'gi')).map((part) => part.trim());
  const at = parts.findIndex((part, index) => index % 2 === 0 && !ROLE.test(part));
  const end = parts[at + 1];
  const isWhole = end === undefined || END.test(end);
  return isWhole ? (parts[at] ?? '').replace(/^(?:assistant|model)[^\S\n]*\n/i, '').trim() : '';
}

const WRAPPED =
  /^<(translation|translated_text|output|answer|response|result|text|title|seg\d*)\b[^>]*>([\s\S]*)<\/\1>$/i;
const ELEMENT = /<\/?(?:translation|translated_text|output|answer|response|result|seg\d*)\b/i;
const BOLD = /^(\*\*|__)([^*_\n]+)\1$/;
const QUOTES = ['""', '“”', '„“', '„”', '«»', '‘’', '‚‘', "''", '``'].map((pair) => [...pair]);

/** Returns a text without a fence, element, quotation marks or emphasis around all of it that its source does not have. */
function unwrapped(text: string, source: string): string {
  const [fence] = FENCE.exec(text) ?? [];
  if (
    fence &&
    text.startsWith(fence) &&
    text.endsWith(fence) &&
    text.length >= 2 * fence.length &&
    !FENCE.test(source)
  )
    return text
      .slice(fence.length, -fence.length)
      .replace(/^[\w-]{0,20}[^\S\n]{0,9}\n/, '')
      .trim();
  if (WRAPPED.test(text) && !source.startsWith('<')) return text.replace(WRAPPED, '$2').trim();
  if (BOLD.test(text) && !/^(?:\*\*|__)/.test(source)) return text.replace(BOLD, '$2').trim();
  const isQuoted = QUOTES.some(([open = '']) => source.startsWith(open));
  for (const [open = '', close = ''] of isQuoted ? [] : QUOTES) {
    const inner = text.slice(1, -1);
    // `"A" and "B"` begins and ends with marks that belong to it.
    const isWhole = text.length > 1 && text.startsWith(open) && text.endsWith(close);
    const isDouble = inner.startsWith(open) && inner.endsWith(close);
    if (isWhole && (isDouble || !(inner.includes(open) || inner.includes(close)))) return inner.trim();
  }
  return text;
}

const FENCE = /`{3,}|~{3,}/;
const TRANSLATED = 'translat|übersetz|tradu[ci]';
const LANGUAGE_NAMES =
  'english|german|french|spanish|englisch|deutsch|französisch|spanisch|inglés|alemán|francés|español|anglais|allemand|français|espagnol';
const LABEL_NAMES = `(?:${LANGUAGE_NAMES})(?:e[rs]?|a)?|translation|translated|übersetzung|übersetzt|traducción|traduction|title|titel|título|titre|text|texto|texte|output|assistant|in|ins|into|to|of|the|al|del|la|en|le|l['’]`;
/** Matches "Deutsch:", "**German translation:**", "Traduction (allemand) :". */
const LABEL = new RegExp(
  `^(?:#{1,6} )?[*_]{0,2}(?:(?:${LABEL_NAMES})[\\s()\\[\\]/-]{0,3}){1,5}[*_]{0,2} ?[:：][*_]{0,2}\\s*`,
  'iu',
);
const NAMES_LANGUAGE = new RegExp(`${LANGUAGE_NAMES}|${TRANSLATED}`, 'iu');
const OPENERS =
  "sure|certainly|of course|absolutely|here(?: is|['’]s| are| you)|below is|the (?:\\w+ )?translation|okay|ok|gerne?|natürlich|selbstverständlich|klar|hier (?:ist|die|der|sind|kommt)|anbei|die (?:\\w+ )?übersetzung|claro|por supuesto|desde luego|aquí|a continuación|la traducción|bien sûr|certainement|voici|avec plaisir|d['’]accord|la traduction";
/** Matches "Sure! Here is the translation:" on a line with the text, or on one of its own. */
const PREFACE = new RegExp(`^¡?(?:${OPENERS})(?!\\p{L})[^\\n:：]{0,160}[:：][*_]{0,2}\\s*`, 'iu');
const OPENING_LINE = new RegExp(`^¡?(?:${OPENERS})(?!\\p{L})[^\\n:：]{0,200}[:：]?[^\\S\\n]*\\n\\s*`, 'iu');
const NOTE_NAMES =
  "(?:translator['’]?s? )?notes?|please note|explanation|anmerkung(?: des übersetzers)?|hinweise?|erläuterung|nota(?: del traductor)?|aclaración|note du traducteur|remarques?|explication|n\\.? ?d\\.? ?[tr]\\.?";
const CLOSERS =
  "let me know|i hope (?:this|that|it)|feel free to|if you (?:need|have) (?:any|more|further|other)|is there anything|lass(?:en sie)? (?:es )?mich wissen|ich hoffe,? (?:das|dies|die)|(?:falls|wenn) sie (?:noch |weitere)|espero que (?:le|te|esto|sea)|si (?:necesita|desea|tiene) (?:algo|más|otr|algun)|j['’]espère que|n['’]hésitez pas|si vous (?:avez|souhaitez) (?:d['’]autres|besoin|autre)";
const LAST_WORDS = new RegExp(`^(?:${CLOSERS})`, 'iu');
const NOTE_MARK = new RegExp(`(?:^|[\\s(\\[*_>-])(?:${NOTE_NAMES})[*_]{0,2}\\s?[:：]`, 'iu');
const CLOSING_LINE = new RegExp(
  `^[(\\[*_>\\s-]{0,5}(?:(?:${NOTE_NAMES})[*_]{0,2}\\s?[:：]|(?:${CLOSERS})(?!\\p{L})|-{3,}$)`,
  'iu',
);

const isFilled = (line: string) => line.trim() !== '';
const countLines = (text: string) => text.split('\n').filter(isFilled).length;

/** Returns a text without what the model says before and after it. What the source says itself stays. */
function withoutTalk(text: string, source: string): string {
  const hasColon = /^[^\n:：]{0,160}[:：]/.test(source);
  const lines = Math.max(1, countLines(source));
  let rest = text;
  for (const talk of [OPENING_LINE, PREFACE, LABEL]) {
    const [said = ''] = talk.exec(rest) ?? [];
    if (said === '' || said.length === rest.length || talk.test(source)) continue;
    const isTranslators = NAMES_LANGUAGE.test(said);
    // A source with such words of its own has them in its translation too.
    const isAdded =
      talk === OPENING_LINE
        ? isTranslators
        : !hasColon || (isTranslators && /[:：]/.test(rest.slice(said.length)));
    if (isAdded) rest = rest.slice(said.length).trim();
  }
  return withoutNotes(rest, source, lines);
}

/** Returns a text of so many lines without the notes behind them. */
function withoutNotes(text: string, source: string, lines: number): string {
  const all = text.split('\n');
  const end = all.findIndex(
    (line, at) => CLOSING_LINE.test(line.trim()) && all.slice(0, at).filter(isFilled).length >= lines,
  );
  const rest = end < 0 ? text : all.slice(0, end).join('\n').trim();
  const bracket = Math.max(rest.lastIndexOf('('), rest.lastIndexOf('['));
  const isNote = bracket > 0 && /[)\]]$/.test(rest) && NOTE_MARK.test(rest.slice(bracket));
  return isNote && !/[)\]]$/.test(source) ? rest.slice(0, bracket).trim() : rest;
}

/** Matches signs that nobody sees, and that turn the direction of what follows: “5 mg” is read as “gm 5”. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/g;

const withoutDirections = (text: string, source: string): string =>
  source.search(DIRECTIONS) < 0 ? text.replaceAll(DIRECTIONS, '') : text;

/** A placeholder that a model leaves in place of a text. */
const PLACEHOLDER = new RegExp(
  `^[[{(<][^\\n]{0,100}(?:${TRANSLATED}|insert|einfüg|insér)[^\\n]{0,100}[\\]})>]$`,
  'iu',
);
const JSON_TEXT = /^[[{]\s*["{[]/;
const WORD = /[\p{L}\p{N}]/u;

/** Tells whether a text is nothing but what a model says, such as "Here is the translation:", or begins with what it says last. */
function isTalkAlone(text: string): boolean {
  const isWhole = [PREFACE, LABEL].some((talk) => talk.exec(text)?.[0].length === text.length);
  return isWhole || LAST_WORDS.test(text);
}

/** Tells whether a text has a quotation mark without its other half, or the beginning of an element around it. */
function isCut(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  const isOpen =
    count('"') % 2 === 1 || count('«') !== count('»') || (count('„') + count('“') + count('”')) % 2 === 1;
  return isOpen || ELEMENT.test(text);
}

/** Around a text stand seldom more than three things. */
const MOST_LAYERS = 6;

const countBlocks = (text: string) => text.trim().split(/\n\s*\n/).length;

/**
 * Returns the text that a model has written for a source, or null for what is no text of it: a refusal, a placeholder, other
 * paragraphs or lines than the source has, or words of the model that cannot be told from it. Reasoning, signs of its format, fences,
 * labels, prefaces and notes are taken away. For an empty source, of which nothing is known, paragraphs are not counted.
 */
export function readAnswer(response: string, source: string): string | null {
  const original = source.trim();
  let text = withoutTokens(
    withoutReasoning(withoutDirections(response, original), original),
    original,
  ).trim();
  // A fence may stand around a label, or a preface before a fence.
  for (let layer = 0; layer < MOST_LAYERS; layer += 1)
    text = unwrapped(withoutTalk(text, original), original);
  text = decodeEntities(decodeEntities(text, original), original).trim();
  const isWordless = !WORD.test(text) && (original === '' || WORD.test(original));
  const isTalk =
    (isRefusal(text) && !isRefusal(original)) ||
    (isTalkAlone(text) && !isTalkAlone(original)) ||
    (isCut(text) && !isCut(original)) ||
    (NOTE_MARK.test(text) && !/[:：]/.test(original)) ||
    (FENCE.test(text) && !FENCE.test(original)) ||
    (PLACEHOLDER.test(text) && !PLACEHOLDER.test(original)) ||
    (JSON_TEXT.test(text) && !JSON_TEXT.test(original));
  const hasOtherForm =
    countBlocks(text) !== countBlocks(original) || (countLines(original) === 1 && countLines(text) > 1);
  return text === '' || isWordless || isTalk || (original !== '' && hasOtherForm) ? null : text;
}

const elementOf = (tag: string) =>
  new RegExp(`<${tag}\\s+id\\s*=\\s*["']?(\\d{1,4})["']?(?:\\s[^<>]{0,40})?>([\\s\\S]*?)</${tag}\\s*>`, 'g');

/** Texts under their numbers, several where they differ. */
type Written = Map<number, Set<string>>;

function write(written: Written, [, id, text = '']: RegExpMatchArray): number {
  const number = Number(id);
  written.set(number, (written.get(number) ?? new Set()).add(text.trim()));
  return number;
}

/**
 * Returns the texts of a response under their numbers: `<seg id="1">…</seg>` for the tag `seg`, several where they differ. A text counts
 * once its element is closed. What looks like reasoning in the sources, which the model was asked about, is none.
 */
export function readElements(response: string, tag: string, sources: readonly string[]): Written {
  const written: Written = new Map();
  for (const match of withoutReasoning(response, sources.join('\n')).matchAll(elementOf(tag)))
    write(written, match);
  return written;
}

/** Shorter texts may well be alike: `Dose` and `Dosage` are one word elsewhere. */
const SHORTEST_DOUBLE = 30;

/**
 * Returns the texts of a response under the numbers of their sources, from 1: `<seg id="1">…</seg>` for the tag `seg`. A text counts
 * once its element is closed. One that is no text of its source is null, as is each where two texts stand under one number, or one
 * text under the numbers of two sources: which of them is meant is not known.
 */
export function readAnswers(
  response: string,
  tag: string,
  sources: readonly string[],
): Map<number, string | null> {
  const all = readElements(response, tag, sources);
  const written = new Map([...all].filter(([number]) => sources[number - 1] !== undefined));
  return new Map([...written.keys()].map((number) => [number, meantBy(number, written, sources)]));
}

/** Returns the text that stands under a number; null where it is doubtful. */
function meantBy(number: number, written: Written, sources: readonly string[]): string | null {
  const texts = written.get(number) ?? new Set();
  const [text = ''] = texts;
  const isOfAnother =
    text.length >= SHORTEST_DOUBLE &&
    [...written].some(([other, some]) => sources[other - 1] !== sources[number - 1] && some.has(text));
  return texts.size > 1 || isOfAnother ? null : readAnswer(text, sources[number - 1] ?? '');
}

/**
 * Reads the texts of a response while it comes, each once, as `readAnswers` does. Where the response begins with other words, or the model
 * thinks in it, only all of it tells which texts are meant: nothing more is read then.
 */
export class AnswerReader {
  readonly #tag: string;
  readonly #sources: readonly string[];
  /** Undefined where the sources look like reasoning themselves. */
  readonly #reasoning: RegExp | undefined;
  readonly #written: Written = new Map();
  /** What has come behind the last closed element. */
  #rest = '';
  #hasBegun = false;
  #isClear = true;

  constructor(tag: string, sources: readonly string[]) {
    this.#tag = tag;
    this.#sources = sources;
    const reasoning = new RegExp(`${OPENING}|${CLOSING}`, 'i');
    this.#reasoning = reasoning.test(sources.join('\n')) ? undefined : reasoning;
  }

  /** Takes what has come, and returns the texts under the numbers of the elements that it closes. */
  read(words: string): [number, string][] {
    if (!this.#isClear) return [];
    this.#rest += words;
    if (!words.includes('>')) return [];
    if (!this.#hasBegun) this.#isClear = this.#rest.trimStart().startsWith(`<${this.#tag}`);
    this.#hasBegun = true;
    const isClosed = this.#rest.includes(`</${this.#tag}`);
    if (isClosed && (this.#reasoning?.test(this.#rest) || FINAL_CHANNEL.test(this.#rest)))
      this.#isClear = false;
    if (!isClosed || !this.#isClear) return [];
    const numbers = new Set<number>();
    let end = 0;
    for (const match of this.#rest.matchAll(elementOf(this.#tag))) {
      end = match.index + match[0].length;
      if (this.#sources[Number(match[1]) - 1] !== undefined) numbers.add(write(this.#written, match));
    }
    this.#rest = this.#rest.slice(end);
    return [...numbers].flatMap((number): [number, string][] => {
      const text = meantBy(number, this.#written, this.#sources);
      return text === null ? [] : [[number, text]];
    });
  }
}
