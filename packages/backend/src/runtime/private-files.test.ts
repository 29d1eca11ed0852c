import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeFolder } from './private-files.ts';

let root: string;
let data: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fabrica-private-'));
  data = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const modeOf = (...path: string[]) => (statSync(join(...path)).mode & 0o777).toString(8);

/** Creates a file or, without content, a folder with these rights whatever the umask is. */
function make(path: string, mode: number, content?: string): void {
  if (content === undefined) mkdirSync(path, { recursive: true });
  else writeFileSync(path, content);
  chmodSync(path, mode);
}

it('a new data folder is open to its owner alone', () => {
  expect(closeFolder(data)).toEqual({ closed: 0, left: 0 });
  expect(modeOf(data)).toBe('700');
});

it('everything in a data folder is taken from other users, and its owner keeps what they may', () => {
  make(data, 0o755);
  make(join(data, 'journal.sqlite'), 0o644, 'rows');
  make(join(data, 'files'), 0o777);
  make(join(data, 'files', 'deep'), 0o755);
  make(join(data, 'files', 'deep', 'image'), 0o666, 'pixels');
  make(join(data, 'script'), 0o755, '#!/bin/sh');
  make(join(data, 'closed'), 0o400, 'read only');
  expect(closeFolder(data)).toEqual({ closed: 6, left: 0 });
  expect(modeOf(data)).toBe('700');
  expect(modeOf(data, 'journal.sqlite')).toBe('600');
  expect(modeOf(data, 'files', 'deep')).toBe('700');
  expect(modeOf(data, 'files', 'deep', 'image')).toBe('600');
  expect(modeOf(data, 'script')).toBe('700');
  expect(modeOf(data, 'closed')).toBe('400');
  expect(closeFolder(data)).toEqual({ closed: 0, left: 0 });
});

it('a folder that the operator has linked into the data folder is closed, and no link below it is followed', () => {
  const disk = join(root, 'disk');
  make(disk, 0o755);
  make(join(disk, 'image'), 0o644, 'pixels');
  make(join(root, 'foreign'), 0o644, 'of somebody else');
  make(data, 0o700);
  symlinkSync(disk, join(data, 'files'));
  symlinkSync(join(root, 'foreign'), join(disk, 'link'));
  symlinkSync(join(root, 'nowhere'), join(data, 'broken'));
  expect(closeFolder(data)).toEqual({ closed: 2, left: 0 });
  expect(modeOf(disk)).toBe('700');
  expect(modeOf(disk, 'image')).toBe('600');
  expect(modeOf(root, 'foreign')).toBe('644');
});
