import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Config } from '../../config.ts';
import type { Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;
/** A proxy that refuses a body does so by its announced length, within this many milliseconds. */
const RESPONSE_TIMEOUT_MS = 1_500;
/** The largest upload, with what its form adds. */
const LARGEST_BODY = 52_500_000;
const PAYLOAD_TOO_LARGE = 413;

/** Asks for the site as a reader does, by way of the proxy, and tries what proxies have to be told. */
export async function checkProxy(config: Config): Promise<Finding[]> {
  const { publicUrl, trustedProxies } = config;
  if (publicUrl.startsWith('https:') && trustedProxies === 0) {
    return [
      failed(
        'PUBLIC_URL is an https URL, so that a proxy stands in front, but TRUST_PROXY is 0: limits count all readers as one.',
      ),
    ];
  }
  const response = await fetch(`${publicUrl}/healthz?proxies`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  if (response?.status !== 200 || !response.headers.has('x-request-id')) {
    const status = response ? ` (status ${response.status})` : '';
    return [warning(`${publicUrl} does not lead to a node from here${status}.`)];
  }
  const { proxies } = (await response.json()) as { proxies?: number };
  const faults = [
    describeProxies(config, proxies),
    await tryWebsocket(config),
    await tryLargeBody(publicUrl),
  ].filter((finding) => finding !== undefined);
  if (faults.length > 0) return faults;
  const behind = trustedProxies > 0 ? '' : ', without a proxy';
  const text = `${publicUrl} leads to a node${behind}, and lets websockets and uploads through.`;
  return [{ name: 'proxy', state: 'ok', text }];
}

/** `proxies` is how many addresses a request from here has in `X-Forwarded-For` when it comes to a node; older nodes do not tell. */
function describeProxies({ trustedProxies }: Config, proxies = trustedProxies): Finding | undefined {
  if (proxies > trustedProxies) {
    return failed(
      `TRUST_PROXY is ${trustedProxies}, but X-Forwarded-For has ${proxies} addresses: limits count all readers as one. Set it to the number of proxies.`,
    );
  }
  if (proxies === trustedProxies) return undefined;
  // From here the site may be reached past a part of the proxies.
  return warning(
    `TRUST_PROXY is ${trustedProxies}, but X-Forwarded-For has ${proxies} addresses: unless readers come through more proxies than this command, they can choose the address that limits count.`,
  );
}

async function tryWebsocket({ publicUrl, projectId }: Config): Promise<Finding | undefined> {
  const socket = new WebSocket(`${publicUrl.replace('http', 'ws')}/api/realtime?project_id=${projectId}`);
  const { promise: opened, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, TIMEOUT_MS, false);
  socket.addEventListener('open', () => resolve(true));
  socket.addEventListener('error', () => resolve(false));
  const isOpen = await opened;
  clearTimeout(timer);
  socket.close();
  if (isOpen) return undefined;
  return warning('Websockets do not get through: pages work, but do not update while they are open.');
}

/** Announces an upload of the largest size, and sends nothing of it. */
async function tryLargeBody(publicUrl: string): Promise<Finding | undefined> {
  const url = new URL('/healthz', publicUrl);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const status = await new Promise<number | undefined>((resolve) => {
    const sent = send(url, { method: 'POST', headers: { 'content-length': LARGEST_BODY } });
    const end = (found?: number) => {
      sent.destroy();
      resolve(found);
    };
    sent.setTimeout(RESPONSE_TIMEOUT_MS, () => end());
    sent.on('response', ({ statusCode }) => end(statusCode));
    sent.on('error', () => end());
    sent.flushHeaders();
  });
  if (status !== PAYLOAD_TOO_LARGE) return undefined;
  return failed('The proxy refuses bodies of 50 MB (status 413): uploads fail. Raise its limit to 55 MB.');
}

function failed(text: string): Finding {
  return { name: 'proxy', state: 'failed', text };
}

function warning(text: string): Finding {
  return { name: 'proxy', state: 'warning', text };
}
