import { parseArgs } from 'node:util';
import { benchAi } from './ai.ts';
import { benchAnalytics } from './analytics.ts';
import { benchAuth } from './auth.ts';
import { benchChaos, type ChaosOptions } from './chaos.ts';
import { compareRuns } from './compare.ts';
import { benchData } from './data.ts';
import { benchDefaults } from './defaults.ts';
import { benchDesk } from './desk.ts';
import { benchEngines } from './engines.ts';
import { Figures } from './figures.ts';
import { benchFloods } from './floods.ts';
import { benchGrowth, type GrowthOptions } from './growth.ts';
import { benchMemory, type MemoryOptions } from './memory.ts';
import { benchPages } from './pages.ts';
import { benchRealtime } from './realtime.ts';
import { benchRest } from './rest.ts';
import { benchStorage } from './storage.ts';
import { benchTabs } from './tabs.ts';
import { benchUncached } from './uncached.ts';
import { benchVitals } from './vitals/vitals.ts';
import { benchWrites } from './writes.ts';

/** `npm run bench` measures all figures and writes them into bench/README.md; `npm run bench auth` measures one part. */
const parts: Readonly<
  Record<string, (figures: Figures, options: ChaosOptions & GrowthOptions & MemoryOptions) => Promise<void>>
> = {
  rest: benchRest,
  writes: benchWrites,
  pages: benchPages,
  vitals: benchVitals,
  desk: benchDesk,
  auth: benchAuth,
  storage: benchStorage,
  tabs: benchTabs,
  ai: benchAi,
  data: benchData,
  realtime: benchRealtime,
  chaos: benchChaos,
  analytics: benchAnalytics,
  floods: benchFloods,
  defaults: benchDefaults,
  uncached: benchUncached,
  engines: benchEngines,
  growth: benchGrowth,
  memory: benchMemory,
};

const { positionals: named, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    redis: { type: 'boolean' },
    save: { type: 'string' },
    likes: { type: 'string' },
    posts: { type: 'string' },
  },
});
if (named[0] === 'compare') {
  const [, before = '', after = ''] = named;
  process.exit(compareRuns(before, after) ? 0 : 1);
}
const seconds = options.seconds === undefined ? undefined : Number(options.seconds);
const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join(', ')}"; there are: ${Object.keys(parts).join(', ')}.`);
  process.exit(64);
}
const figures = new Figures();
for (const [name, bench] of Object.entries(parts)) {
  if (named.length === 0 || named.includes(name)) await bench(figures, { ...options, seconds });
}
figures.write();
if (options.save !== undefined) figures.save(options.save);
process.exitCode = figures.allMet ? 0 : 1;
