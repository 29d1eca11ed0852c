import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Comparison, generator } from './load.ts';

export interface Figure {
  what: string;
  measured: string;
  goal: string;
  met: boolean;
}

/** A figure as it is saved, to be compared with that of another run. */
export interface SavedFigure {
  what: string;
  value: number;
  better: Goal['better'];
  /** Tells how far the rounds of the run were from its value, as a share of it: the median of their distances. */
  noise: number;
}

export interface Goal {
  value: number;
  better: 'atLeast' | 'atMost';
  unit: string;
}

const PAGE = fileURLToPath(new URL('README.md', import.meta.url));
const TABLE = /(<!-- figures -->\n)[\s\S]*(\n<!-- \/figures -->)/;

export const atMost = (value: number, unit: string): Goal => ({ value, better: 'atMost', unit });
export const atLeast = (value: number, unit: string): Goal => ({ value, better: 'atLeast', unit });

/** The figures of one run of the benchmark. */
export class Figures {
  readonly #figures: Figure[] = [];
  readonly #saved: SavedFigure[] = [];

  /** Adds a figure and prints whether it meets its goal. */
  note(what: string, measured: number, { value, better, unit }: Goal, extra = '', noise = 0): void {
    const met = better === 'atLeast' ? measured >= value : measured <= value;
    this.#saved.push({ what, value: measured, better, noise });
    const digits = unit === '' ? 2 : unit === 's' ? 2 : measured < 10 ? 1 : 0;
    const shown = `${measured.toFixed(digits)}${unit && ` ${unit}`}`;
    const wanted = `${better === 'atLeast' ? '≥' : '≤'} ${value}${unit && ` ${unit}`}`;
    this.#figures.push({ what, measured: `${shown}${extra}`, goal: wanted, met });
    console.log(`${met ? 'ok  ' : 'MISS'} ${what}: ${shown}${extra} (${wanted})`);
  }

  /** Adds a figure without a goal. */
  inform(what: string, measured: string): void {
    this.#figures.push({ what, measured, goal: '–', met: true });
    console.log(`     ${what}: ${measured}`);
  }

  get allMet(): boolean {
    return this.#figures.every(({ met }) => met);
  }

  /** Writes the figures with goals into a file that `npm run bench compare` reads. */
  save(file: string): void {
    writeFileSync(file, `${JSON.stringify(this.#saved, null, 2)}\n`);
  }

  /** Writes the figures into bench/README.md. They replace those of the same name; all others stay. */
  write(): void {
    const text = readFileSync(PAGE, 'utf8');
    const day = new Date().toISOString().slice(0, 10);
    const rows = new Map(
      [...text.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.*?) \| ?(.*?) ?\|$/gm)]
        .filter(([, what]) => what !== 'what' && !what?.startsWith('---'))
        .map(([row, what]) => [what ?? '', row] as const),
    );
    for (const { what, measured, goal, met } of this.#figures) {
      const verdict = goal === '–' ? '' : met ? 'met' : 'missed';
      rows.set(what, `| ${what} | ${measured} | ${goal} | ${verdict} | ${day} |`);
    }
    const table = [
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, load by ${generator}.`,
      '',
      '| what | measured | goal | | on |',
      '|---|---|---|---|---|',
      ...rows.values(),
    ].join('\n');
    writeFileSync(PAGE, text.replace(TABLE, `$1${table}$2`));
  }
}

/** Returns the responses per second of both servers, for the report. */
export function rate({ ours, bare }: Comparison): string {
  return ` (${Math.round(ours)} of ${Math.round(bare)} responses/s)`;
}
