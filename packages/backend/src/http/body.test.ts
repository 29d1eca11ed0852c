import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseJsonBody } from './body.ts';
import { presentError } from './present-error.ts';

const LIMIT = 1_000;

const app = new Hono();
app.onError((error) => presentError(error));
app.post('/', async (c) => c.json(await parseJsonBody(c, z.object({ text: z.string() }), LIMIT)));
app.post('/optional', async (c) => c.json(await parseJsonBody(c, z.object({}).prefault({}), LIMIT)));

const post = async (body: BodyInit | null, headers: Record<string, string> = {}, path = '/') => {
  const response = await app.request(path, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json() };
};

describe('JSON bodies', () => {
  it('are read, checked and handed on', async () => {
    expect(await post('{"text":"Ä","more":1}')).toEqual({ status: 200, body: { text: 'Ä' } });
  });

  it.each(['{"text":', 'text', '', '{"text":"\u0000"'])('that are not JSON are refused: %j', async (text) => {
    const { status, body } = await post(text);
    expect([status, body.code]).toEqual([400, 'INVALID_JSON']);
  });

  it('that are not UTF-8 are refused', async () => {
    const { status, body } = await post(new Uint8Array([...Buffer.from('{"text":"'), 0xff, 0x22, 0x7d]));
    expect([status, body.code]).toEqual([400, 'INVALID_JSON']);
  });

  it('of a wrong form are refused field by field', async () => {
    const { status, body } = await post('{"text":7}');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'text', message: expect.any(String) }],
    });
  });

  it('may be left out where the schema says so', async () => {
    expect((await post(null, {}, '/optional')).status).toBe(200);
    expect((await post('[]', {}, '/optional')).status).toBe(400);
  });

  it('are too large by what comes, not by what Content-Length claims', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(LIMIT) });
    for (const headers of [{}, { 'content-length': '20' }, { 'content-length': 'many' }]) {
      const { status, body } = await post(large, headers);
      expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }
    expect((await post('{"text":""}', { 'content-length': '1e9' })).status).toBe(413);
    expect((await post(JSON.stringify({ text: 'x'.repeat(LIMIT - 11) }))).status).toBe(200);
  });

  it('without end get a response while they still come', async () => {
    const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const call = request({ port, host: '127.0.0.1', method: 'POST', path: '/' });
    call.on('error', () => undefined);
    const responded = once(call, 'response');
    call.write(`{"text":"${'x'.repeat(LIMIT)}`);
    const [response] = await responded;
    expect(response.statusCode).toBe(413);
    call.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});
