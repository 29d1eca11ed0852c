import { openTestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import { describe, expect, test } from 'vitest';
import { migrateToLatest } from '../database/index.ts';
import { defineProject, migrationsOf, serviceTables } from '../project-database.ts';
import { allOf, anyOf, everyRow, type Filter, not, permitted, through } from './filter.ts';
import type { ProjectDefinition } from './project.ts';
import { unnamedTables } from './validate-project.ts';

const roles = {
  member: { permissions: ['books.read'] },
  librarian: { permissions: ['books'], inherits: ['member'] },
  head: { permissions: ['*'] },
};

function withCreate(create: Filter): ProjectDefinition {
  const { books } = libraryTables;
  if (!books) throw new Error('The library has books.');
  return {
    ...library,
    roles,
    tables: { ...libraryTables, books: { ...books, policies: { signedIn: { create } } } },
  };
}

describe('a permission that a policy asks for', () => {
  test.each([
    ['by itself', permitted('books.create')],
    ['for all of a resource', permitted('books')],
    ['within other conditions', allOf(everyRow, anyOf(not(permitted('books.read'))))],
  ])('is known when a role grants it by name: %s', (_, create) => {
    expect(defineProject(withCreate(create))).toMatchObject({ id: 'library' });
  });

  test.each([
    ['by itself', permitted('boks.create')],
    ['within other conditions', allOf(everyRow, anyOf(not(permitted('boks.create'))))],
    ['of another table', through('user_id', 'books', permitted('boks.create'))],
  ])('is a fault when none does, even where one may do everything: %s', (_, create) => {
    expect(() => defineProject(withCreate(create))).toThrow(
      'Project "library": a policy of table "books" asks for "boks.create", which no role grants by name.',
    );
  });
});

test('a role that inherits one that is not there is a fault', () => {
  const definition = { ...library, roles: { ...roles, member: { permissions: [], inherits: ['membr'] } } };
  expect(() => defineProject(definition)).toThrow(
    'role "member" inherits "membr", which is none of its roles',
  );
});

describe('a definition that no compiler has seen', () => {
  // What is wrong with the files of PROJECTS_DIR is tried in tests/projects-folder.test.ts.
  test('is told of all that is wrong with it', () => {
    const definition = { ...library, origins: ['example.org'], tables: { books: {} }, colour: 'red' };
    expect(() => defineProject(definition as unknown as ProjectDefinition)).toThrow(
      'Project "library": tables.books.columns is missing; tables.books.policies is missing; ' +
        'origins.0 must be an origin such as https://example.org, or *; has no place for "colour".',
    );
  });
});

describe('the rules of channels', () => {
  const withChannels = (channels: unknown) =>
    ({ ...library, roles, signUpRole: 'member', channels }) as unknown as ProjectDefinition;

  test('are taken by patterns of names', () => {
    const rule = { join: 'anyone', publish: permitted('books.read'), presence: 'server' };
    expect(
      defineProject(withChannels({ gallery: rule, 'book:{id}:notes': rule, 'public:*': rule })),
    ).toMatchObject({
      id: 'library',
    });
  });

  test.each([
    [
      'of nobody that there is',
      { a: { join: 'all', publish: 'server' } },
      "must be 'anyone', 'signedIn', 'server'",
    ],
    ['that say nothing of who may publish', { a: { join: 'anyone' } }, 'channels.a.publish must be'],
    ['under a name that is no pattern', { 'a{': { join: 'anyone', publish: 'server' } }, 'channels.a{'],
    ['by a row of a table', { a: { join: everyRow, publish: 'server' } }, 'channels.a.join must be'],
    [
      'that ask for what no role grants',
      { a: { join: permitted('boks.read'), publish: 'server' } },
      'channel "a" asks for "boks.read", which no role grants by name.',
    ],
  ])('are a fault %s', (_, channels, fault) => {
    expect(() => defineProject(withChannels(channels))).toThrow(fault);
  });
});

describe('the rules of insights', () => {
  const withInsights = (insights: unknown) =>
    ({ ...library, roles, signUpRole: 'member', insights }) as unknown as ProjectDefinition;
  const ofBooks = { table: 'books', column: 'author', about: 'books' };

  test('name who sees all, pages of rows, and what is counted', () => {
    const insights = {
      all: permitted('books.read'),
      pages: { '/book/{id}': 'books' },
      counts: { works: ofBooks },
    };
    expect(defineProject(withInsights(insights))).toMatchObject({ insights });
  });

  test.each([
    ['ask for what no role grants', { all: permitted('boks') }, 'insights asks for "boks", which no role'],
    ['are for everybody who is signed in', { all: 'signedIn' }, 'insights.all must be an object'],
    ['have a page without a row', { pages: { '/books': 'books' } }, 'must be a path with {id} in it'],
    [
      'have a page of rows that are nobody’s',
      { pages: { '/note/{id}': 'notes' } },
      'the pages "/note/{id}" need a table "notes" with a column "user_id"',
    ],
    ['have a page of no table', { pages: { '/x/{id}': 'x' } }, 'need a table "x" with a column "user_id"'],
    [
      'count rows without a time',
      { counts: { loans: { table: 'loans', column: 'book_id', about: 'books' } } },
      'counts "loans" need a table "loans" with a column "created_at"',
    ],
    ['count what is counted already', { counts: { views: ofBooks } }, '"views" is counted already'],
    ['have a name that is none', { counts: { 'a b': ofBooks } }, 'must be a name such as likes'],
  ])('are a fault when they %s', (_, insights, fault) => {
    expect(() => defineProject(withInsights(insights))).toThrow(fault);
  });
});

test('tables whose policies name nobody are known, unlike those that are closed to everybody by name', () => {
  const { loans, notes } = libraryTables;
  if (!loans || !notes) throw new Error('The library has loans and notes.');
  const tables = { loans, notes, meant: { ...notes, policies: { anonymous: {}, signedIn: {} } } };
  expect(unnamedTables({ ...library, tables })).toEqual(['notes']);
});

test('no table of a project is one of the services', async () => {
  const engine = await openTestEngine();
  const database = await engine.open({ id: 'empty', schema: new Map() });
  try {
    await migrateToLatest(database, migrationsOf({ ...library, migrations: {} }));
    const tables = await database.reader.introspection.getTables({ withInternalKyselyTables: true });
    // Whatever else is on a server is in another schema than that of the project.
    const names = tables.filter(({ schema }) => schema?.endsWith('empty') ?? true).map(({ name }) => name);
    expect(names.sort()).toEqual(serviceTables.toSorted());
    for (const name of names) {
      const taken = {
        ...library,
        tables: { [name]: { columns: { id: { type: 'text', max: 9 } }, policies: {} } },
      };
      expect(() => defineProject(taken as ProjectDefinition)).toThrow(
        `"${name}" is a table of Fabrica itself.`,
      );
    }
  } finally {
    await database.close();
    await engine.close();
  }
});
