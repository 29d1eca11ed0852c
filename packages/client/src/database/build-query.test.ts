import { describe, expect, it } from 'vitest';
import { buildQuery } from './build-query.ts';
import type { Where } from './where.ts';

interface Post {
  id: string;
  title: string;
  imageUrl: string | null;
  createdAt: number;
  published: number;
}

/** Returns the parameters as the server parses them from the URL. */
function sent(where: Where<Post>): string[] {
  const query = buildQuery<Post, keyof Post>({ where });
  return [...new URLSearchParams(query.toString())].map(([name, value]) => `${name}=${value}`);
}

describe('a filter', () => {
  it.each<[string, Where<Post>, string[]]>([
    ['equality', { published: 1 }, ['published=eq.1']],
    ['several columns', { published: 1, id: 'post_1' }, ['published=eq.1', 'id=eq.post_1']],
    [
      'booleans as 1 and 0',
      { published: true, createdAt: { neq: false } },
      ['published=eq.1', 'created_at=neq.0'],
    ],
    ['null as is.null', { imageUrl: null }, ['image_url=is.null']],
    ['no null as not.is.null', { imageUrl: { neq: null } }, ['image_url=not.is.null']],
    ['not null, written the other way', { imageUrl: { not: null } }, ['image_url=not.is.null']],
    ['a range on one column', { createdAt: { gte: 1, lt: 9 } }, ['created_at=gte.1', 'created_at=lt.9']],
    ['gt and lte', { createdAt: { gt: 1.5, lte: 9 } }, ['created_at=gt.1.5', 'created_at=lte.9']],
    ['like and ilike', { title: { like: 'He*', ilike: '%art' } }, ['title=like.He*', 'title=ilike.%art']],
    ['is', { published: { is: true } }, ['published=is.true']],
    ['not with a value', { title: { not: 'x' } }, ['title=neq.x']],
    [
      'not with operators',
      { title: { not: { like: 'a*', eq: null } } },
      ['title=not.like.a*', 'title=not.is.null'],
    ],
    ['in', { id: { in: ['a', 'b-1'] } }, ['id=in.(a,b-1)']],
    ['in with nothing', { id: { in: [] } }, ['id=in.()']],
    ['not in', { createdAt: { not_in: [1, 2] } }, ['created_at=not.in.(1,2)']],
    ['a value alone without quotes', { title: 'a,b.(c)"d"&e=f+%' }, ['title=eq.a,b.(c)"d"&e=f+%']],
    [
      'quoted members of a list',
      { title: { in: ['a,b', 'c)d', 'e"f\\g', '', 'null', 'Größe'] } },
      ['title=in.("a,b","c)d","e\\"f\\\\g","","null","Größe")'],
    ],
    ['AND', { AND: [{ published: 1 }, { createdAt: { lt: 5 } }] }, ['and=(published.eq.1,created_at.lt.5)']],
    [
      'OR, with values quoted',
      { OR: [{ title: 'a,b' }, { imageUrl: null }] },
      ['or=(title.eq."a,b",image_url.is.null)'],
    ],
    [
      'a member of several conditions',
      { OR: [{ id: 'a', published: 1 }, { id: 'b' }] },
      ['or=(and(id.eq.a,published.eq.1),id.eq.b)'],
    ],
    [
      'groups within groups',
      { OR: [{ AND: [{ id: 'a' }, { OR: [{ id: 'b' }, { title: { not: { in: ['x y'] } } }] }] }] },
      ['or=(and(id.eq.a,or(id.eq.b,title.not.in.("x y"))))'],
    ],
    [
      'columns beside groups',
      { published: 1, OR: [{ id: 'a' }, { id: 'b' }] },
      ['published=eq.1', 'or=(id.eq.a,id.eq.b)'],
    ],
  ])('a filter sends %s', (_, where, expected) => {
    expect(sent(where)).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['no value', { title: undefined }, 'has no value'],
    ['no value in an operator', { title: { eq: undefined } }, 'has no value'],
    ['an unknown operator', { title: { near: 'x' } }, 'There is no filter "near"'],
    ['no list where one is required', { title: { in: 'x' } }, 'needs a list'],
    ['a list where none is allowed', { title: ['x'] }, 'neither text nor a number'],
    ['no number', { createdAt: Number.NaN }, 'neither text nor a number'],
    ['an empty group', { OR: [] }, 'needs a list of conditions'],
    ['an empty member', { AND: [{}] }, 'empty condition'],
  ])('a filter with %s is rejected before it is sent', (_, where, message) => {
    expect(() => sent(where as Where<Post>)).toThrow(message);
  });
});

describe('the rest of a query', () => {
  it('a query has columns in snake_case and keeps the order of its sort columns', () => {
    const query = buildQuery<Post, 'id' | 'imageUrl'>({
      select: ['id', 'imageUrl'],
      orderBy: { createdAt: 'desc', id: 'asc' },
      limit: 24,
      offset: 0,
      cursor: 'abc=',
    });
    expect(Object.fromEntries(query)).toEqual({
      select: 'id,image_url',
      order: 'created_at.desc,id.asc',
      limit: '24',
      offset: '0',
      cursor: 'abc=',
    });
  });
});
