import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { JOB_PROMPT } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { type BadVerdicts, JUDGE_PROMPT } from '@fabrica/test-peers/openai-stand-in-verdicts.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  answerTo,
  BEHAVIOURS,
  type Behaviour,
  ENGLISH,
  RIGHT,
  RIGHT_ANSWERS,
  TARGETS,
  type Target,
  TERMS,
  writeArticle,
} from '../../../testing/model-behaviours.ts';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../../testing/open-test-desk.ts';

/** What readers get from models that misbehave, from the publication of an article to its public row in three languages. */

let model: OpenAiStandIn;

beforeAll(async () => {
  model = await startOpenAiStandIn();
});
afterAll(() => model.close());

type Verdicts = Omit<BadVerdicts, 'kind'>;
type Doing = Readonly<Record<Target, Pick<Behaviour, 'write' | 'around'> & Partial<Behaviour>>>;

const RIGHT_PARTS = TARGETS.map((language) => ({
  language,
  title: RIGHT[language].title,
  content: writeArticle(RIGHT[language]),
}));

class Journal {
  readonly #desk: TestDesk;
  readonly #author: Person;
  /** What the model does at present, and how many responses it has given in each language. */
  #doing: Doing = { de: RIGHT_ANSWERS, es: RIGHT_ANSWERS, fr: RIGHT_ANSWERS };
  #responses = new Map<Target, number>();

  constructor(desk: TestDesk, author: Person) {
    [this.#desk, this.#author] = [desk, author];
  }

  static async open(judge: Verdicts | undefined): Promise<Journal> {
    const AI_JUDGE_MODEL = judge ? 'careful-model' : 'off';
    const desk = await openTestDesk({
      environment: { AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model', AI_JUDGE_MODEL },
    });
    const author = await desk.person('Ada', 'editor');
    for (const body of TERMS) await desk.call(author, 'POST', 'translations/terms', { body });
    const journal = new Journal(desk, author);
    model.reset();
    journal.#listen();
    if (judge) journal.judgeAs(judge);
    return journal;
  }

  #listen(): void {
    let language: Target = 'de';
    const present = (): Doing[Target] => {
      const { isOnce = false, ...doing } = this.#doing[language];
      return isOnce && (this.#responses.get(language) ?? 0) > 0 ? RIGHT_ANSWERS : doing;
    };
    model.behave({
      kind: 'segments',
      rewrite: (_, source, to) => {
        language = to as Target;
        return answerTo(source, language, present());
      },
      around: (response) => {
        const { around } = present();
        this.#responses.set(language, (this.#responses.get(language) ?? 0) + 1);
        return around(response);
      },
      when: JOB_PROMPT,
    });
  }

  /** Publishes the article, which a model translates that does this, and returns what readers have then in each language. */
  async readersHave(doing: Doing): Promise<Record<Target, 'the right words' | 'other words' | 'nothing'>> {
    const desk = this.#desk;
    this.#doing = doing;
    this.#responses.clear();
    const document = buildDocument({
      ...{ title: ENGLISH.title ?? '', content: writeArticle(ENGLISH) },
      ...{ contentFormat: 'markdown', language: 'en' },
    });
    const { body } = await desk.call(this.#author, 'POST', 'posts', { body: { document } });
    await desk.call(this.#author, 'POST', `posts/${body.id}/publish`, { version: 1, body: {} });
    await vi.waitFor(
      async () => {
        const job = await desk.call(this.#author, 'GET', `posts/${body.id}/translations/job`);
        expect(['done', 'failed']).toContain(job.body?.state);
      },
      { timeout: 60_000, interval: 25 },
    );
    const path = `/api/db/journal/rest/v1/journal_posts?id=eq.${body.id}`;
    const [post] = (await desk.call(ANONYMOUS, 'GET', path)).body;
    const words = RIGHT_PARTS.map(({ language, title, content }) => {
      const shown = [post[`title_${language}`], post[`content_${language}`]];
      if (shown.every((text) => text === null)) return [language, 'nothing'];
      return [language, shown[0] === title && shown[1] === content ? 'the right words' : 'other words'];
    });
    return Object.fromEntries(words);
  }

  /** Has the second reader say something else from now on. */
  judgeAs(verdicts: Verdicts): void {
    model.behave({ kind: 'verdicts', ...verdicts, when: JUDGE_PROMPT });
  }

  close(): Promise<void> {
    return this.#desk.close();
  }
}

/** Each behaviour is tried in one language; with `npm run test:long`, in all three. */
const ROTATIONS = Number(process.env.ROTATIONS ?? 1);

/** Returns behaviours three at a time, each in a language of its own. */
function* assign(behaviours: readonly Behaviour[]): Generator<Record<Target, Behaviour>> {
  for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
    for (let first = 0; first < behaviours.length; first += TARGETS.length) {
      const of = (at: number) =>
        behaviours[first + ((at + rotation) % TARGETS.length)] ?? (behaviours[0] as Behaviour);
      yield { de: of(0), es: of(1), fr: of(2) };
    }
  }
}

const nameOf = ({ kind, name }: Behaviour) => `${kind}: ${name}`;

/** Returns by which behaviours readers have wrong words in which language, and by which they ought to, as the list says. */
async function findReleased(journal: Journal, behaviours: readonly Behaviour[], listed: Released) {
  const released = new Set<string>();
  const expected = new Set<string>();
  for (const doing of assign(behaviours)) {
    const shown = await journal.readersHave(doing);
    for (const language of TARGETS) {
      const behaviour = doing[language];
      const name = `${nameOf(behaviour)} (${language})`;
      const isMissing = behaviour.kind === 'harmless' && shown[language] === 'nothing';
      if (shown[language] === 'other words' || isMissing) released.add(name);
      if (listed[nameOf(behaviour)]?.split(' ').includes(language)) expected.add(name);
    }
  }
  return [[...released].sort(), [...expected].sort()];
}

/** Behaviours by which readers get wrong words, and the languages. */
type Released = Readonly<Record<string, string>>;

/** Without a second reader. `docs/dose-guard.md` says why. What is found no longer has to go, and nothing may be added. */
const UNREAD: Released = {
  'clause: leaves two words in English within a clause': 'de es fr',
  'clause: writes four words in Portuguese': 'es',
  'extent: cuts texts to 85 % and ends them with a full stop': 'de',
  'invention: adds a word': 'de es fr',
  'language: leaves a cell of two words in English': 'de es fr',
  'order: exchanges two cells without numbers': 'de es fr',
};

/** Harmful behaviours of each kind, and how many of them reach readers without a second reader. */
const COUNTS: Readonly<Record<string, readonly [all: number, released: number]>> = {
  language: [24, 1],
  clause: [8, 2],
  extent: [18, 1],
  order: [7, 1],
  invention: [7, 1],
  talk: [12, 0],
  repetition: [5, 0],
  number: [19, 0],
  opposite: [11, 0],
  negation: [4, 0],
  name: [4, 0],
  mark: [20, 0],
  encoding: [5, 0],
};

test('of each kind of harmful behaviour, as many are released without a second reader as are counted here', () => {
  const harmful = BEHAVIOURS.filter(({ kind }) => kind !== 'harmless');
  const byKind = Object.entries(Object.groupBy(harmful, ({ kind }) => kind)).map(([kind, all = []]) => [
    kind,
    [all.length, all.filter((one) => nameOf(one) in UNREAD).length],
  ]);
  expect(Object.fromEntries(byKind)).toEqual(COUNTS);
  expect(new Set(BEHAVIOURS.map(nameOf)).size).toBe(BEHAVIOURS.length);
});

test('without a second reader, readers get right words by every harmless behaviour, and wrong ones by those listed', {
  timeout: 300_000,
}, async () => {
  const journal = await Journal.open(undefined);
  const [released, expected] = await findReleased(journal, BEHAVIOURS, UNREAD);
  await journal.close();
  expect(released).toEqual(expected);
});

/** Knows the article: of any other words than the right ones it says that they differ. */
const knowing: Verdicts = {
  say: ({ source, target }) => {
    const [key] = Object.entries(ENGLISH).find(([, text]) => text === source) ?? [];
    if (key === undefined) return undefined;
    const isRight = TARGETS.some((language) => RIGHT[language][key] === target);
    return isRight ? 'same' : `differs | meaning | ${source.split(' ')[0]} | -`;
  },
};

test('with a second reader who knows the article, readers get no wrong words, and one who lies or misquotes clears no doubt', {
  timeout: 300_000,
}, async () => {
  const journal = await Journal.open(knowing);
  const [released] = await findReleased(journal, BEHAVIOURS, {});
  const some = BEHAVIOURS.filter(({ kind }) => kind === 'negation').slice(0, TARGETS.length);
  const believed: string[] = [];
  for (const as of ['lie', 'misquote', 'shift', 'talk', 'twice'] as const) {
    journal.judgeAs({ as });
    believed.push(...((await findReleased(journal, some, {}))[0] ?? []).map((name) => `${as}, ${name}`));
  }
  await journal.close();
  expect(released).toEqual([]);
  expect(believed).toEqual([]);
});
