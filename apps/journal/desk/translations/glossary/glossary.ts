import type { Bus, Project } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import { type Term, TermFinder, type TermPair } from './find-terms.ts';
import { listTerms } from './term-rows.ts';

/** Milliseconds for which terms are taken as they are though another node may have written some. */
const MAX_STALE_MS = 5_000;

/** All terms at one time, to be found in texts. */
export class Terms {
  readonly #terms: readonly Term[];
  readonly #finders = new Map<string, TermFinder>();

  constructor(terms: readonly Term[]) {
    this.#terms = terms;
  }

  /** Returns the terms that a text contains, with their words in the other language. */
  find(text: string, source: Language, target: Language): TermPair[] {
    const direction = `${source} ${target}`;
    const finder = this.#finders.get(direction) ?? new TermFinder(this.#terms, source, target);
    this.#finders.set(direction, finder);
    return finder.find(text);
  }
}

/** Keeps the terms of the project in memory, because each text that is written is compared with them. */
export class Glossary {
  readonly #project: Project;
  #cached: { terms: Promise<Terms>; at: number; commits: number } | undefined;

  constructor(project: Project, bus: Bus) {
    this.#project = project;
    bus.subscribe(({ table }) => {
      if (table === 'translation_terms') this.#cached = undefined;
    });
    bus.subscribeTables(({ tables }) => {
      if (tables.includes('translation_terms')) this.#cached = undefined;
    });
  }

  load(): Promise<Terms> {
    const commits = this.#project.database.foreignCommits();
    const cached = this.#cached;
    if (cached && (cached.commits === commits || Date.now() - cached.at < MAX_STALE_MS)) return cached.terms;
    const terms = listTerms(this.#project).then((list) => new Terms(list));
    const loaded = { terms, at: Date.now(), commits };
    this.#cached = loaded;
    terms.catch(() => {
      if (this.#cached === loaded) this.#cached = undefined;
    });
    return terms;
  }
}
