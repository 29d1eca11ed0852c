import { describe, expect, it } from 'vitest';
import { createRequestIds } from './request-ids.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4/;
const read = (proxies: number, headers: Record<string, string>) =>
  createRequestIds(proxies)((name) => headers[name]);

describe('the ids of a request', () => {
  it('the ids of a trusted proxy are taken over', () => {
    const headers = { 'x-request-id': 'edge-7f3a/00000042', traceparent: TRACEPARENT };
    expect(read(1, headers)).toEqual({ requestId: 'edge-7f3a/00000042', traceId: TRACE });
  });

  it('the ids of a stranger count for nothing', () => {
    const ids = read(0, { 'x-request-id': 'edge-7f3a/00000042', traceparent: TRACEPARENT });
    expect(ids).toEqual({ requestId: expect.stringMatching(UUID) });
  });

  it.each(['short', 'x'.repeat(129), 'with a space in it', 'line\nbreak-1234', 'über-12345', ''])(
    'the malformed id %j is replaced',
    (id) => {
      expect(read(1, { 'x-request-id': id }).requestId).toMatch(UUID);
    },
  );

  it.each([
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    'nonsense',
  ])('the malformed traceparent %s names no trace', (traceparent) => {
    expect(read(1, { traceparent })).not.toHaveProperty('traceId');
  });
});
