import { createClient, FabricaError } from '@fabrica/client';
import type { User } from '@fabrica/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveProfile } from './save-profile.ts';

const ORIGIN = 'https://journal.example';
const BEFORE = `/storage/journal/avatars/user_1-1.png?v=ab`;
const user: User = {
  id: 'user_1',
  email: 'ada@example.org',
  displayName: 'Ada',
  photoURL: BEFORE,
  emailVerified: true,
  role: 'author',
  createdAt: '2026-11-21T00:00:00.000Z',
  lastSignInAt: null,
};
const file = new File(['not really a picture'], 'Me.JPG', { type: 'image/jpeg' });

/** The calls to the backend, in order. */
let calls: { call: string; body: unknown }[];
/** Calls that fail, by their method and the end of their path. */
let failing: Set<string>;
let uploaded: string | undefined;

beforeEach(() => {
  calls = [];
  failing = new Set();
  uploaded = undefined;
});

function save(
  photo: File | string | null | undefined,
  { displayName = 'Ada', photoURL = BEFORE as string | null } = {},
) {
  const client = createClient({
    projectId: 'journal',
    origin: ORIGIN,
    secretKey: 'sk_test',
    fetch: async (input, init) => {
      const call = `${init?.method} ${new URL(String(input)).pathname.split('/').at(-1)}`;
      calls.push({ call, body: await readBody(init?.body) });
      if (failing.has(call)) throw new TypeError('The network is down.');
      if (call === 'PATCH me') return Response.json({ user });
      if (call === 'DELETE remove') return Response.json({ removed: [] });
      if (call !== 'POST upload') throw new Error(`Unexpected call: ${call}`);
      return Response.json({
        publicUrl: `${ORIGIN}/storage/journal/avatars/new.jpg?v=cd`,
        path: 'avatars/new.jpg',
        contentType: 'image/jpeg',
        size: 20,
      });
    },
  });
  const { auth, storage } = client;
  return saveProfile(
    { user: { ...user, photoURL }, displayName, photo },
    { auth, storage, onUploaded: (url) => (uploaded = url) },
  );
}

function readBody(body: unknown): unknown {
  return body instanceof FormData ? Object.fromEntries(body) : JSON.parse(String(body));
}

describe('saveProfile', () => {
  it('saving a profile sends only the name when the photo stays', async () => {
    await save(undefined, { displayName: '  Ada Byron ' });
    expect(calls).toEqual([{ call: 'PATCH me', body: { displayName: 'Ada Byron' } }]);
  });

  it('saving a blank name removes the name', async () => {
    await save(undefined, { displayName: '   ' });
    expect(calls[0]?.body).toEqual({ displayName: null });
  });

  it('saving a new photo uploads it, changes the account, and then removes the earlier photo', async () => {
    await save(file);
    expect(calls).toMatchObject([
      { call: 'POST upload', body: { path: expect.stringMatching(/^avatars\/user_1-\d{13}\.jpg$/) } },
      {
        call: 'PATCH me',
        body: { displayName: 'Ada', photoURL: `/storage/journal/avatars/new.jpg?v=cd` },
      },
      { call: 'DELETE remove', body: { paths: ['avatars/user_1-1.png'] } },
    ]);
  });

  it('removing a photo from the account also removes its file', async () => {
    await save(null);
    expect(calls).toEqual([
      { call: 'PATCH me', body: { displayName: 'Ada', photoURL: null } },
      { call: 'DELETE remove', body: { paths: ['avatars/user_1-1.png'] } },
    ]);
  });

  it.each([
    ['nothing', null],
    ['a photo of an identity provider', 'https://pictures.example/storage/journal/avatars/1.png'],
    ['a file that is no photo', `${ORIGIN}/storage/journal/posts/1.png`],
    ['a path that cannot be read', `${ORIGIN}/storage/journal/avatars/%E0%A4%A.png`],
  ])('removing a photo removes no file when the account had %s', async (_, photoURL) => {
    await save(null, { photoURL });
    expect(calls.map(({ call }) => call)).toEqual(['PATCH me']);
  });

  it('a failed change of the account keeps the earlier photo, and the next try does not upload the new one again', async () => {
    failing.add('PATCH me');
    await expect(save(file)).rejects.toBeInstanceOf(FabricaError);
    failing.clear();
    await save(uploaded);
    expect(calls.map(({ call }) => call)).toEqual(['POST upload', 'PATCH me', 'PATCH me', 'DELETE remove']);
  });

  it('saving succeeds and reports the error when the earlier photo cannot be removed', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    failing.add('DELETE remove');
    await save(null);
    expect(reported).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});
