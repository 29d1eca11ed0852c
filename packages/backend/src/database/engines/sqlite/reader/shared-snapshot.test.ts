import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countCommits, shareCounts } from '../commit-counts.ts';
import { shareSnapshots } from './shared-snapshot.ts';

let folder: string;
let writer: DatabaseSync;
let connection: DatabaseSync;
let version: number;
let read: () => number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fabrica-snapshot-'));
  writer = new DatabaseSync(join(folder, 'file.sqlite'));
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER); INSERT INTO rows VALUES (1);');
  connection = new DatabaseSync(join(folder, 'file.sqlite'), { readOnly: true });
  version = 0;
  const enterSnapshot = shareSnapshots(connection, () => version);
  const count = connection.prepare('SELECT count(*) AS rows FROM rows');
  read = () => {
    enterSnapshot();
    return Number(count.get()?.rows);
  };
});

afterEach(() => {
  vi.useRealTimers();
  if (connection.isOpen) connection.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

test('reads that follow one another see the same rows, and later ones what was committed meanwhile', async () => {
  expect(read()).toBe(1);
  writer.exec('INSERT INTO rows VALUES (2)');
  expect(read()).toBe(1);
  await Promise.resolve();
  expect(connection.isTransaction).toBe(false);
  expect(read()).toBe(2);
});

test('a read after a commit that is counted sees it, also in the same iteration of the event loop', async () => {
  expect(read()).toBe(1);
  writer.exec('INSERT INTO rows VALUES (2)');
  version += 1;
  expect(read()).toBe(2);
  writer.exec('INSERT INTO rows VALUES (3)');
  expect(read()).toBe(2);
  version += 1;
  expect(read()).toBe(3);
  await Promise.resolve();
  expect(connection.isTransaction).toBe(false);
});

test('the commit of another process during a transaction is counted once that has ended', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const counts = shareCounts();
  const commits = countCommits({ counts, reader: connection, countInWriter: () => false });
  const before = commits.version();
  read();
  writer.exec('INSERT INTO rows VALUES (2)');
  vi.advanceTimersByTime(20);
  expect(commits.version()).toBe(before);
  await Promise.resolve();
  expect(commits.version()).toBe(before + 1);
});

test('a transaction of another part is neither joined nor ended, and a closed file is left alone', async () => {
  connection.exec('BEGIN');
  expect(read()).toBe(1);
  await Promise.resolve();
  expect(connection.isTransaction).toBe(true);
  connection.exec('COMMIT');
  expect(read()).toBe(1);
  connection.close();
  await Promise.resolve();
});
