import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedKey } from '@fabrica/backend/testing/fixed-key.ts';
import { buildMail, FROM, MAIL_KEYS } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFileTransport, createMailSeal, readStoredMails, sealStoredMails } from './index.ts';

const seal = createMailSeal(MAIL_KEYS);

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fabrica-outbox-'));
  folder = join(root, 'data', 'outbox');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(root, { recursive: true });
});

async function send(...subjects: string[]) {
  const transport = createFileTransport({ folder, from: FROM, seal });
  for (const subject of subjects) await transport.send(buildMail({ subject }));
}

const subjects = async () => (await readStoredMails(folder, seal)).map(({ subject }) => subject);

it('a missing folder has no mails', async () => {
  expect(await readStoredMails(folder, seal)).toEqual([]);
});

it('a stored mail has an id, a time and a sender', async () => {
  const mail = buildMail();
  await createFileTransport({ folder, from: FROM, seal }).send(mail);
  const [stored] = await readStoredMails(folder, seal);
  expect(stored).toEqual({ ...mail, from: FROM, id: expect.any(String), at: expect.any(String) });
  expect(await readdir(folder)).toEqual([`${stored?.id}.json`]);
  expect(Math.abs(Date.now() - Date.parse(stored?.at ?? ''))).toBeLessThan(60_000);
});

it('a file has no link of its mail, and is of no use without the keys or under another name', async () => {
  await send('Your link');
  const [name = ''] = await readdir(folder);
  const stored = await readFile(join(folder, name), 'utf8');
  for (const word of ['Your link', buildMail().text.trim()]) expect(stored).not.toContain(word);
  const damaged: string[] = [];
  const others = createMailSeal({ refreshKeys: fixedKey(Buffer.alloc(32, 1)) });
  expect(await readStoredMails(folder, others, (path) => damaged.push(path))).toEqual([]);
  await rename(join(folder, name), join(folder, '20260101T000000000Z-00000001.json'));
  expect(await readStoredMails(folder, seal, (path) => damaged.push(path))).toEqual([]);
  expect(damaged).toHaveLength(2);
});

it('mails that an older version has stored as they are can be read, and are sealed at the next start', async () => {
  await send('new');
  const { id: _, ...plain } = (await readStoredMails(folder, seal))[0] ?? {};
  const old = join(folder, '20260101T000000000Z-00000001.json');
  await writeFile(old, JSON.stringify({ ...plain, subject: 'old' }));
  expect(await subjects()).toEqual(['new', 'old']);
  expect(await sealStoredMails(folder, seal)).toBe(1);
  expect(await sealStoredMails(folder, seal)).toBe(0);
  expect(await readFile(old, 'utf8')).not.toContain('"subject"');
  expect(await subjects()).toEqual(['new', 'old']);
});

it('stored mails are listed newest first, also within a millisecond and when the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-01T12:00:00.000Z') });
  const transport = createFileTransport({ folder, from: FROM, seal });
  await transport.send(buildMail({ subject: 'first' }));
  await transport.send(buildMail({ subject: 'second' }));
  vi.setSystemTime(Date.parse('2026-05-01T11:59:00.000Z'));
  await transport.send(buildMail({ subject: 'third' }));
  expect(await subjects()).toEqual(['third', 'second', 'first']);
});

it('only the owner may read the folder and its mails', async () => {
  await send('first');
  await chmod(folder, 0o755);
  await send('second');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(folder)) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
});

it('the newest 500 mails stay, and other files are left alone', async () => {
  await send('an example');
  const [example] = await readStoredMails(folder, seal);
  for (let n = 0; n < 500; n += 1) {
    const name = `20200101T000000${String(n).padStart(3, '0')}Z-00000000`;
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ ...example, subject: `old ${n}` }));
  }
  await writeFile(join(folder, '20200101T000000000Z-00000000.json.draft'), '{"at":');
  await writeFile(join(folder, '0-notes.txt'), 'of the operator');
  await send('the newest');
  const stored = await subjects();
  expect(stored).toHaveLength(500);
  expect(stored.slice(0, 3)).toEqual(['the newest', 'an example', 'old 499']);
  expect(stored.at(-1)).toBe('old 2');
  const others = (await readdir(folder)).filter((name) => !name.endsWith('.json'));
  expect(others).toEqual(['0-notes.txt']);
});

it('a damaged mail is reported and left out of the list', async () => {
  await send('good');
  const cut = join(folder, '20260101T000000000Z-00000001.json');
  const strange = join(folder, '20260101T000000000Z-00000002.json');
  await writeFile(cut, '{"at": "2026-01-01T00:00:00.000Z", "to": "ada@');
  await writeFile(strange, '{"at": "yesterday", "to": 7}');
  const damaged: string[] = [];
  const mails = await readStoredMails(folder, seal, (path) => damaged.push(path));
  expect(mails.map(({ subject }) => subject)).toEqual(['good']);
  expect(damaged).toEqual([strange, cut]);
});

it('sending rejects when the mail cannot be written', async () => {
  const transport = createFileTransport({ folder, from: FROM, seal });
  await rm(folder, { recursive: true });
  await expect(transport.send(buildMail())).rejects.toThrow('ENOENT');
});
