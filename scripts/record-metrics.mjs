// node scripts/record-metrics.mjs <url of /metrics>: reads the metrics of a node that is used once a minute for half an hour, and
// writes those that the alerts ask for to tests/recorded-metrics.json. npm run deploy:check repeats them for a day.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './runtime.mjs';

const RECORDED = join(root, 'tests/recorded-metrics.json');
const RULES = join(root, 'deploy/prometheus/alerts.yaml');
const MINUTES = 30;

const [, , url] = process.argv;
if (url?.startsWith('http')) {
  const texts = [];
  const began = Date.now() / 1_000;
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    texts.push(await (await fetch(url)).text());
    if (minute < MINUTES) await wait(60_000);
  }
  record(texts, began);
}

/** Writes the values of each series at each of the minutes, "_" where there is none, as promtool takes them. */
export function record(texts, began) {
  const asked = new Set(readFileSync(RULES, 'utf8').match(/\b(?:fabrica|nodejs)_\w+/g));
  const series = {};
  for (const [minute, text] of texts.entries())
    for (const [, name, labels = '', value] of text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)) {
      if (!asked.has(name)) continue;
      series[name + labels] ??= Array(texts.length).fill('_');
      series[name + labels][minute] = Number(Number(value).toPrecision(13));
    }
  const lines = Object.entries(series).map(([name, values]) => [name, values.join(' ')]);
  writeFileSync(RECORDED, `${JSON.stringify({ began, series: Object.fromEntries(lines) }, null, 2)}\n`);
}

/** Returns a test for promtool: the recorded half hour, again and again for a day, in which no alert may come. */
export function testQuietDay() {
  const { began, series } = JSON.parse(readFileSync(RECORDED, 'utf8'));
  const input = Object.entries(series).map(([name, values]) => {
    const [, metric, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name);
    return {
      series: `${metric}{${['instance="node1"', labels].filter(Boolean).join()}}`,
      values: repeat(metric, values.split(' '), began).join(' '),
    };
  });
  input.push({ series: 'up{job="fabrica",instance="node1"}', values: '1x1440' });
  const expression = 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[25h]))';
  return JSON.stringify({
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: input,
        promql_expr_test: [{ expr: expression, eval_time: '24h', exp_samples: [] }],
      },
    ],
  });
}

/** Counters and moments go on growing. The clock of the test begins at 0. */
function repeat(name, values, began) {
  const isMoment = name.endsWith('_timestamp_seconds');
  const first = Number(values.find((value) => value !== '_'));
  const grown = isMoment
    ? MINUTES * 60
    : /_(total|count|bucket|sum)$/.test(name)
      ? Number(values.at(-1)) - first
      : 0;
  const halfHour = values.slice(0, -1);
  return Array.from({ length: 48 }, (_, half) =>
    halfHour.map((value) => {
      if (value === '_') return grown > 0 && half > 0 ? half * grown : '_';
      if (isMoment) return value === '0' ? 0 : Number(value) - began + half * grown;
      return Number(value) + half * grown;
    }),
  ).flat();
}
