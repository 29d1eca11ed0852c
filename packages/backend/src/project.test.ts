import { describe, expect, test } from 'vitest';
import { library, libraryTables } from './database/build-test-library.ts';
import { allOf, anyOf, everyRow, type Filter, not, permitted, through } from './filter.ts';
import { defineProject, type ProjectDefinition } from './project.ts';

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
