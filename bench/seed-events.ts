import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventIdPrefix } from '../packages/backend/src/services/analytics/row-ids.ts';

export interface SeedOptions {
  /** The data folder of a stopped journal on SQLite with posts. */
  dataDir: string;
  events: number;
  /** The number of days up to today. */
  days: number;
  /** The account that gets every fourth post. */
  owner: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Likes of one day, and as many comments. */
const LIKES = 200;

const DIMENSIONS = {
  total: `''`,
  page: 'pathname',
  language: 'language',
  channel: 'channel',
  referrer: 'referrer',
};

/**
 * Inserts events, most of them on few posts, and their sums, as the server stores both. The number of readers is estimated
 * from the views.
 */
export function seedEvents({ dataDir, events, days, owner }: SeedOptions): void {
  const database = new DatabaseSync(join(dataDir, 'journal.sqlite'));
  // The triggers of posts call it.
  for (const name of ['fold_text', 'markdown_words']) database.function(name, (text) => String(text));
  const ofDay = Math.ceil(events / days);
  // A crash would lose nothing that cannot be created again.
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = MEMORY;
    UPDATE journal_posts SET user_id = '${owner}' WHERE rowid % 4 = 0;
    CREATE TEMP TABLE series AS
      WITH RECURSIVE counting (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counting WHERE n < ${ofDay - 1})
      SELECT n FROM counting;
    CREATE TEMP TABLE pages (n INTEGER PRIMARY KEY, id TEXT, pathname TEXT, user_id TEXT);
    INSERT INTO pages
      SELECT row_number() OVER (ORDER BY rowid) - 1 AS n, id, '/post/' || id AS pathname, user_id FROM journal_posts;
    CREATE TEMP TABLE today (id, type, happened_at, visit, pathname, referrer, language, channel, owner);
  `);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let ago = days - 1; ago >= 0; ago -= 1) seedDay(database, today - ago * DAY_MS, ofDay);
  database.close();
}

/** Inserts the events of the day that begins at this time (epoch ms). */
function seedDay(database: DatabaseSync, begins: number, events: number): void {
  const day = new Date(begins).toISOString().slice(0, 10);
  const count = Number(database.prepare('SELECT count(*) AS count FROM pages').get()?.count);
  database.exec(`
    BEGIN;
    DELETE FROM today;
    INSERT INTO today
      SELECT printf('${eventIdPrefix(begins)}seed%07d', series.n),
             CASE WHEN series.n % 7 = 0 THEN 'read.completed' ELSE 'pageview' END,
             ${begins} + series.n * ${Math.floor(DAY_MS / events)},
             'visit' || series.n / 4,
             CASE WHEN series.n % 5 = 0 THEN '/gallery' ELSE pages.pathname END,
             CASE WHEN series.n % 2 = 0 THEN 'site-' || series.n % 83 || '.example' END,
             substr('endefresitptnlplsvdafinb', 1 + series.n % 12 * 2, 2),
             CASE series.n % 5 WHEN 0 THEN 'organic' WHEN 1 THEN 'social' WHEN 2 THEN 'referral' ELSE 'direct' END,
             CASE WHEN series.n % 5 <> 0 THEN pages.user_id END
      FROM (SELECT n, (n * 7919 + ${begins / DAY_MS} * 104729) % 1000003 / 1000003.0 AS share FROM series) AS series
      CROSS JOIN pages ON pages.n = CAST(${count} * series.share * series.share * series.share AS INTEGER);
    INSERT INTO analytics_events (id, type, happened_at, visit, pathname, referrer, language, channel, screen_width)
      SELECT id, type, happened_at, visit, pathname, referrer, language, channel, 1440 FROM today;
    ${Object.entries(DIMENSIONS)
      .flatMap(([dimension, value]) =>
        [`''`, 'owner'].map(
          (scope) => `
            INSERT INTO analytics_days (scope, dimension, day, value, views, readers, completed)
              SELECT ${scope}, '${dimension}', '${day}', ${value}, sum(type = 'pageview'),
                     (sum(type = 'pageview') + 1) / 2, sum(type <> 'pageview')
              FROM today WHERE ${scope} IS NOT NULL AND ${value} IS NOT NULL GROUP BY ${scope}, ${value};`,
        ),
      )
      .join('')}
    INSERT INTO post_likes (id, post_id, user_id, created_at)
      SELECT 'like_${day}_' || series.n, pages.id, 'user_${day}_' || series.n, ${begins} + series.n * 1000
      FROM series CROSS JOIN pages ON pages.n = series.n * 7919 % ${count} WHERE series.n < ${LIKES};
    INSERT INTO post_comments (id, post_id, user_id, user_name, content, created_at)
      SELECT 'comment_${day}_' || series.n, pages.id, 'user_bench', 'Ada', 'The heart is a pump.', ${begins} + series.n * 1000
      FROM series CROSS JOIN pages ON pages.n = series.n * 104729 % ${count} WHERE series.n < ${LIKES};
    COMMIT;
  `);
}
