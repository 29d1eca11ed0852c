/**
 * Loaded before a program (`--import`): sends every request and socket to this server alone, named by FABRICA_URL. One to another
 * host fails, and is printed with the rest at the end: `<host> <path>`, a line each.
 */
const { host } = new URL(process.env.FABRICA_URL);
const asked = new Set();

function requireOwn(target) {
  const url = new URL(target);
  asked.add(`${url.host} ${url.pathname}`);
  if (url.host !== host) throw new Error(`A request goes to ${url.host}.`);
}

const send = globalThis.fetch;
globalThis.fetch = (input, init) => {
  requireOwn(input instanceof Request ? input.url : input);
  return send(input, init);
};
globalThis.WebSocket = class extends globalThis.WebSocket {
  constructor(url, protocols) {
    requireOwn(url);
    super(url, protocols);
  }
};
process.on('exit', () => process.stdout.write(`${[...asked].join('\n')}\n`));
