import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * The baseline: a bare node:http server that responds to everything with the same bytes.
 * Usage: `node bench/yardstick.ts <file of the body> <content type> [content encoding]`; prints its port.
 */
const [file = '', contentType = '', contentEncoding] = process.argv.slice(2);
const body = readFileSync(file);
const headers = {
  'content-type': contentType,
  'content-length': body.byteLength,
  ...(contentEncoding ? { 'content-encoding': contentEncoding } : {}),
};

const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
