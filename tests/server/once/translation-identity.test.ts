import { randomFrom } from '@fabrica/test-peers/random.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordMachineTexts } from '../../../apps/journal/desk/translations/records/machine-texts.ts';
import { releaseReady } from '../../../apps/journal/desk/translations/releases/release-ready.ts';
import type { PostDocument } from '../../../apps/journal/project/document.ts';
import { parseHere } from '../../../apps/journal/project/markdown/parse-tree.ts';
import type {
  LanguageTranslation,
  ReleasedTranslations,
  TranslatedSegment,
} from '../../../apps/journal/project/translations.ts';
import { hashWords } from '../../../apps/journal/segments/hash-words.ts';
import { splitText } from '../../../apps/journal/segments/split-text.ts';
import {
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../../apps/journal/testing/open-test-desk.ts';
import { releasedHashes } from '../../../apps/journal/testing/released-hashes.ts';

/** Sequences that are tried: `SEQUENCES=1000 npx vitest run tests/server/once/translation-identity.test.ts` is the long run. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 12);
const FIRST_SEED = Number(process.env.SEED ?? 1);
/** Histories on one desk, before the tokens of its people expire. */
const SEQUENCES_OF_DESK = 100;
const STEPS = 14;
const LANGUAGE = 'de';

let desk: TestDesk;
let people: Person[];

beforeEach(async () => {
  desk = await openTestDesk();
  people = [await desk.person('Ada', 'editor'), await desk.person('Eda', 'editor')];
});
afterEach(() => desk.close());

/** Writes a number or a hash without digits, in which the dose guard would see numbers. */
function inLetters(value: number | string): string {
  const digits = [...String(value)].map((character) => String(character.charCodeAt(0))).join('');
  return [...digits].map((digit) => 'bcdfghjkln'[Number(digit)]).join('');
}

/** Texts that readers of the present desk had, by who they were told wrote them. */
const released = new Map<string, number>();

/** A post that random people and machines work on, with what it must never forget. */
class Trial {
  /** Every text that a person has written. */
  readonly #written = new Set<string>();
  readonly #random: () => number;
  readonly #log: string[] = [];
  #id = '';
  #count = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  async run(): Promise<void> {
    const document = buildDocument({
      title: `Title of a text about the heart ${this.#next()}`,
      contentFormat: 'markdown',
      content: this.#blocks(4).join('\n\n'),
    });
    const { body } = await desk.call(this.#person(), 'POST', 'posts', { body: { document } });
    this.#id = body.id;
    const steps = [
      ...[this.#edit, this.#edit, this.#move, this.#split, this.#join, this.#remove, this.#insert],
      ...[
        this.#machine,
        this.#machine,
        this.#write,
        this.#write,
        this.#writeWhole,
        this.#accept,
        this.#takeProposal,
      ],
      ...[
        this.#restoreText,
        this.#publish,
        this.#publish,
        this.#release,
        this.#withdraw,
        this.#discard,
        this.#restore,
      ],
    ];
    for (let step = 0; step < STEPS; step += 1) {
      // What is typed within minutes is one text.
      desk.clock.now += 6 * 60_000;
      const act = this.#pick(steps);
      this.#log.push(act.name);
      await act.call(this);
      await this.#check();
    }
  }

  async #check(): Promise<void> {
    const rows = await desk.rows(`segment_translations?post_id=eq.${this.#id}`);
    const ids = rows.map(({ id }: { id: string }) => id);
    const former =
      ids.length > 0 ? await desk.rows(`segment_versions?translation_id=in.(${ids.join(',')})`) : [];
    const kept = new Set([...rows, ...former].map(({ text }: { text: string }) => text));
    expect(
      [...this.#written].filter((text) => !kept.has(text)),
      this.#story(),
    ).toEqual([]);
    const { segments } = await this.#translation();
    expect(new Set(segments.map(({ id }) => id)).size, this.#story()).toBe(segments.length);
    await this.#checkReleased([...rows, ...former]);
  }

  /** Expects that readers have what is in the records, with its source and its writer. */
  async #checkReleased(rows: { text: string; state: string; writer_kind: string }[]): Promise<void> {
    const [post] = await desk.rows(`journal_posts?id=eq.${this.#id}`);
    if (!post) return;
    const facts = (JSON.parse(post.translations ?? '{}') as ReleasedTranslations)[LANGUAGE];
    expect(post.content_de !== null, this.#story()).toBe(facts !== undefined);
    if (!facts) return;
    const texts: string[] = [
      post.title_de,
      ...(await splitText(post.content_de, 'markdown', async (text) => parseHere(text))).slots.map(
        (slot) => slot.text,
      ),
    ];
    expect(
      texts.map((text) => text.split(' xq ')[1]?.replace(/[.!?]$/, '')),
      this.#story(),
    ).toEqual(facts.hashes.map(inLetters));
    const name = `${facts.by}${facts.reviewedBy ? ', reviewed' : ''}`;
    released.set(name, (released.get(name) ?? 0) + 1);
    const shown = texts.map((text) => rows.filter((row) => row.text === text));
    expect(
      shown.every(({ length }) => length > 0),
      this.#story(),
    ).toBe(true);
    if (facts.reviewedBy)
      expect(
        shown.every((same) => same.some(({ state }) => state === 'reviewed')),
        this.#story(),
      ).toBe(true);
    const writers = new Set(texts.map((text) => (text.startsWith('m') ? 'machine' : 'person')));
    expect(facts.by === 'mixed' ? 2 : [facts.by], this.#story()).toEqual(
      writers.size === 2 ? 2 : [...writers],
    );
    if (post.published === 1 && facts.releasedAt === post.updated_at) {
      const { title, content, content_format: contentFormat } = post;
      expect(facts.hashes, this.#story()).toEqual(await releasedHashes({ title, content, contentFormat }));
    }
  }

  #story(): string {
    return `${this.#id}: ${this.#log.join(', ')}`;
  }

  /** Returns a word that no text has yet. */
  #next(): string {
    this.#count += 1;
    return inLetters(this.#count);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #person(): Person {
    return this.#pick(people);
  }

  #sentence(): string {
    return `Word${this.#next()} word${this.#next()} word${this.#next()} heart beats.`;
  }

  #blocks(count: number): string[] {
    return Array.from({ length: count }, () => {
      const words = `${this.#sentence()} ${this.#sentence()}`;
      return this.#pick([
        words,
        words,
        `# ${this.#sentence()}`,
        `- ${this.#sentence()}\n- ${this.#sentence()}`,
        `> ${words}`,
      ]);
    });
  }

  async #post(): Promise<{ version: number; document: PostDocument; state: string }> {
    return (await desk.call(this.#person(), 'GET', `posts/${this.#id}`)).body;
  }

  async #translation(): Promise<LanguageTranslation> {
    return (await desk.call(this.#person(), 'GET', `posts/${this.#id}/translations/${LANGUAGE}`)).body;
  }

  /** Changes the blocks of the original. Segments whose words stay keep their ids and their texts. */
  async #change(act: (blocks: string[]) => string[]): Promise<void> {
    const before = await this.#translation();
    const { version, document } = await this.#post();
    const content = act(document.content.split('\n\n')).join('\n\n');
    const { status, body } = await desk.call(this.#person(), 'PUT', `posts/${this.#id}`, {
      version,
      body: { ...document, content },
    });
    expect(status, `${this.#story()} ${JSON.stringify(body)}`).toBe(200);
    const after = new Map((await this.#translation()).segments.map((segment) => [segment.source, segment]));
    for (const { source, id, text } of before.segments) {
      const same = after.get(source);
      if (same) expect(same, this.#story()).toMatchObject({ id, text });
    }
  }

  #edit(): Promise<void> {
    return this.#change((blocks) => {
      const at = Math.floor(this.#random() * blocks.length);
      return blocks.with(at, (blocks[at] ?? '').replace(/\w+ \w+ heart/, `other${this.#next()} heart`));
    });
  }

  #move(): Promise<void> {
    return this.#change((blocks) => {
      const [moved = '', ...rest] = blocks;
      return [...rest, moved];
    });
  }

  #split(): Promise<void> {
    return this.#change((blocks) => {
      const at = blocks.findIndex((block) => /^[^#\n>-].*\. /.test(block));
      return at < 0 ? blocks : blocks.toSpliced(at, 1, ...(blocks[at] ?? '').split(/(?<=\.) /));
    });
  }

  #join(): Promise<void> {
    return this.#change((blocks) => {
      const isPlain = (block: string | undefined) => block !== undefined && /^[^#\n>-][^\n]*$/.test(block);
      const at = blocks.findIndex((block, index) => isPlain(block) && isPlain(blocks[index + 1]));
      return at < 0 ? blocks : blocks.toSpliced(at, 2, `${blocks[at]} ${blocks[at + 1]}`);
    });
  }

  #remove(): Promise<void> {
    return this.#change((blocks) => (blocks.length > 2 ? blocks.slice(1) : blocks));
  }

  #insert(): Promise<void> {
    return this.#change((blocks) =>
      blocks.toSpliced(Math.floor(this.#random() * blocks.length), 0, ...this.#blocks(1)),
    );
  }

  async #machine(): Promise<void> {
    const before = (await this.#translation()).segments;
    const writer = { kind: 'model' as const, name: 'model' };
    const texts = before.map((segment) => ({
      ...{ segmentId: segment.id, language: LANGUAGE, hash: hashWords(segment.source), writer },
      text: this.#textFor(segment, 'm'),
    })) as Parameters<typeof recordMachineTexts>[2];
    await recordMachineTexts(desk.context, { postId: this.#id, userId: this.#person().id }, texts);
    for (const segment of (await this.#translation()).segments) {
      const { text, state, writer: by } = before.find(({ id }) => id === segment.id) as TranslatedSegment;
      const isOfPerson = by?.kind === 'person' || state === 'reviewed';
      if (isOfPerson) expect(segment.text, this.#story()).toBe(text);
    }
    if (this.#random() < 0.5) {
      await releaseReady(desk.context, this.#id, { languages: [LANGUAGE], by: people[0]?.id ?? '' });
    }
  }

  /** Returns a text of about the length of the original, with as many sentences, of which the guard would miss nothing. */
  #textFor({ source }: Pick<TranslatedSegment, 'source'>, writer: 'm' | 'h'): string {
    const [end = '', other] = source.match(/[.!?](?=\s|$)/g) ?? [];
    const words = `${other ? '. Z' : ''}${this.#next()} xq ${inLetters(hashWords(source))}${end}`;
    return `${writer}${'z'.repeat(Math.max(0, source.length - words.length))}${words}`;
  }

  async #write(): Promise<void> {
    const { segments } = await this.#translation();
    const share = this.#pick([0.5, 1]);
    for (const segment of segments.filter(() => this.#random() < share)) {
      await this.#onSegment(segment, 'PUT', '', { text: this.#human(segment) });
    }
  }

  #human(segment: Pick<TranslatedSegment, 'source'>): string {
    const text = this.#textFor(segment, 'h');
    this.#written.add(text);
    return text;
  }

  /** Changes the translation as one text, as programs do that know no segments. */
  async #writeWhole(): Promise<void> {
    const { segments } = await this.#translation();
    const { version, document } = await this.#post();
    const content = document.translations[LANGUAGE]?.content;
    const segment = segments.find(
      ({ part, text }) => part === 'content' && text !== '' && content?.includes(text),
    );
    if (!segment || !content) return;
    const translations = {
      ...document.translations,
      [LANGUAGE]: {
        ...document.translations[LANGUAGE],
        content: content.replace(segment.text, this.#human(segment)),
      },
    };
    const { status } = await desk.call(this.#person(), 'PUT', `posts/${this.#id}`, {
      version,
      body: { ...document, translations },
    });
    expect(status, this.#story()).toBe(200);
  }

  async #accept(): Promise<void> {
    for (const segment of (await this.#translation()).segments) {
      if (segment.state === 'machine' || segment.state === 'edited')
        await this.#onSegment(segment, 'POST', '/accept');
    }
  }

  async #takeProposal(): Promise<void> {
    for (const segment of (await this.#translation()).segments) {
      if (segment.proposal === null) continue;
      await this.#onSegment(segment, 'POST', '/take-proposal', { text: segment.proposal });
      // A person answers for it now, and may say so in words of her own.
      const [same] = (await this.#translation()).segments.filter(({ id }) => id === segment.id);
      if (same) await this.#onSegment(same, 'PUT', '', { text: this.#human(same) });
    }
  }

  async #restoreText(): Promise<void> {
    const segment = this.#pick((await this.#translation()).segments);
    const path = `posts/${this.#id}/translations/${LANGUAGE}/segments/${segment.id}/history`;
    const { versions } = (await desk.call(this.#person(), 'GET', path)).body;
    const former = versions.find(
      ({ source, text }: { source: string; text: string }) =>
        source === segment.source && text.startsWith('h'),
    );
    if (former) await this.#onSegment(segment, 'POST', '/restore', { version: former.version });
  }

  async #onSegment(
    { id, version }: TranslatedSegment,
    method: string,
    verb: string,
    body: object = {},
  ): Promise<void> {
    const path = `posts/${this.#id}/translations/${LANGUAGE}/segments/${id}${verb}`;
    const response = await desk.call(this.#person(), method, path, { version, body });
    expect(response.status, `${this.#story()} ${JSON.stringify(response.body)}`).toBe(200);
  }

  async #publish(): Promise<void> {
    const { version } = await this.#post();
    const { status } = await desk.call(this.#person(), 'POST', `posts/${this.#id}/publish`, {
      version,
      body: {},
    });
    expect(status, this.#story()).toBe(200);
  }

  async #release(): Promise<void> {
    const { status } = await desk.call(
      this.#person(),
      'POST',
      `posts/${this.#id}/translations/${LANGUAGE}/release`,
    );
    expect([200, 409], this.#story()).toContain(status);
  }

  async #withdraw(): Promise<void> {
    const { status } = await desk.call(
      this.#person(),
      'POST',
      `posts/${this.#id}/translations/${LANGUAGE}/withdraw`,
    );
    expect(status, this.#story()).toBe(200);
  }

  async #discard(): Promise<void> {
    const { version, state } = await this.#post();
    if (state !== 'published') return;
    const { status } = await desk.call(this.#person(), 'POST', `posts/${this.#id}/discard`, { version });
    expect(status, this.#story()).toBe(200);
  }

  async #restore(): Promise<void> {
    const { revisions } = (await desk.call(this.#person(), 'GET', `posts/${this.#id}/revisions`)).body;
    if (revisions.length === 0) return;
    const { version } = await this.#post();
    const path = `posts/${this.#id}/revisions/${this.#pick<{ id: string }>(revisions).id}/restore`;
    const { status } = await desk.call(this.#person(), 'POST', path, { version });
    expect(status, this.#story()).toBe(200);
  }
}

/** The seeds of all histories, those of a desk together. */
const parts = Array.from({ length: Math.ceil(SEQUENCES / SEQUENCES_OF_DESK) }, (_, part) => {
  const first = FIRST_SEED + part * SEQUENCES_OF_DESK;
  return [first, Math.min(first + SEQUENCES_OF_DESK, FIRST_SEED + SEQUENCES) - 1] as const;
});

test.each(parts)(
  'in the random histories %i to %i no person’s words are lost, and no release contradicts its records',
  async (first, last) => {
    released.clear();
    for (let seed = first; seed <= last; seed += 1) await new Trial(seed).run();
    for (const by of ['machine', 'person']) expect([...released.keys()].join()).toContain(by);
  },
  3_600_000,
);
