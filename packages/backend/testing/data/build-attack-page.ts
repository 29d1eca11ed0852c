/** Forms of this machine’s IP address, and a cloud’s metadata service. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '0',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  'localhost',
  'localhost.',
  'sub.localhost',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
];

/**
 * Names of the ways below that Chromium really tries, each with a host of its own, `<way>.canary.test`. The page tries
 * more: windows, pings and UDP end in the browser already.
 */
export const WAYS = [
  'img',
  'srcset',
  'script',
  'module',
  'stylesheet',
  'css-import',
  'background',
  'font',
  'iframe',
  'srcdoc',
  'object',
  'embed',
  'video',
  'audio',
  'track',
  'poster',
  'svg-image',
  'input-image',
  'preload',
  'prefetch',
  'modulepreload',
  'frame-refresh',
  'frame-location',
  'frame-form',
  'redirect',
  'fetch',
  'fetch-no-cors',
  'fetch-keepalive',
  'xhr',
  'eventsource',
  'beacon',
  'websocket',
  'websocket-tls',
  'import',
  'worker',
  'shared-worker',
  'import-scripts',
  'report',
  'turn-tcp',
] as const;

/** A content security policy that reports to the port. */
export function buildReportingPolicy(port: number): string {
  return `default-src 'none'; report-uri http://report.canary.test:${port}/`;
}

/**
 * Returns a page that tries to reach the port in all ways that a page has. Its server needs `/away?to=`, which
 * redirects, and `/tried`, which responds when everything was tried: only then is the page loaded.
 */
export function buildAttackPage(port: number): string {
  const at = (way: string, scheme = 'http') => `${scheme}://${way}.canary.test:${port}/`;
  const inWorker = [
    `try { importScripts('${at('import-scripts')}') } catch {}`,
    `new WebSocket('${at('worker-websocket', 'ws')}')`,
    `fetch('${at('worker')}')`,
  ].join(';');
  return `<!doctype html><html><head>
<link rel="stylesheet" href="${at('stylesheet')}"><link rel="preload" as="image" href="${at('preload')}">
<link rel="prefetch" href="${at('prefetch')}"><link rel="modulepreload" href="${at('modulepreload')}">
<link rel="preconnect" href="${at('preconnect')}"><link rel="dns-prefetch" href="//dns-prefetch.canary.test">
<link rel="icon" href="${at('icon')}">
<style>@import url(${at('css-import')});
@font-face { font-family: f; src: url(${at('font')}) } p { font-family: f; background: url(${at('background')}) }</style>
<script src="${at('script')}"></script><script type="module" src="${at('module')}"></script>
</head><body><p>Text</p><img src="/tried">
<img src="${at('img')}"><img srcset="${at('srcset')} 1x"><input type="image" src="${at('input-image')}">
<svg><image href="${at('svg-image')}"/></svg>
<iframe src="${at('iframe')}"></iframe><iframe srcdoc="<img src='${at('srcdoc')}'>"></iframe>
<iframe srcdoc="<meta http-equiv='refresh' content='0;url=${at('frame-refresh')}'>"></iframe>
<iframe srcdoc="<script>location='${at('frame-location')}'</script>"></iframe>
<iframe srcdoc="<form action='${at('frame-form')}' method='post'></form><script>document.forms[0].submit()</script>"></iframe>
<object data="${at('object')}"></object><embed src="${at('embed')}">
<video src="${at('video')}" poster="${at('poster')}"></video><audio src="${at('audio')}" preload="auto"></audio>
<video src="/film" crossorigin><track default src="${at('track')}"></video>
<img src="/away?to=${encodeURIComponent(at('redirect'))}"><a id="ping" href="#" ping="${at('ping')}">a</a>
<iframe src="file:///etc/passwd"></iframe><iframe src="view-source:${at('img')}"></iframe>
<script>
const attempt = (act) => { try { Promise.resolve(act()).catch(() => {}) } catch {} };
attempt(() => fetch('${at('fetch')}'));
attempt(() => fetch('${at('fetch-no-cors')}', { mode: 'no-cors', method: 'POST', body: 'x' }));
attempt(() => fetch('${at('fetch-keepalive')}', { keepalive: true }));
attempt(() => { const x = new XMLHttpRequest(); x.open('GET', '${at('xhr')}'); x.send() });
attempt(() => { new EventSource('${at('eventsource')}') });
attempt(() => navigator.sendBeacon('${at('beacon')}', 'x'));
attempt(() => { new WebSocket('${at('websocket', 'ws')}') });
attempt(() => { new WebSocket('${at('websocket-tls', 'wss')}') });
attempt(() => import('${at('import')}'));
attempt(() => { new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inWorker)}]))) });
attempt(() => { new SharedWorker(URL.createObjectURL(new Blob(["fetch('${at('shared-worker')}')"]))) });
attempt(() => navigator.serviceWorker.register('/service-worker.js'));
attempt(() => { open('${at('open')}') });
attempt(() => document.getElementById('ping').click());
attempt(async () => {
  const peer = new RTCPeerConnection({ iceServers: [
    { urls: ['stun:127.0.0.1:${port}', 'stun:[::1]:${port}', 'stun:stun.canary.test:${port}'] },
    { urls: ['turn:127.0.0.1:${port}?transport=udp', 'turn:turn-tcp.canary.test:${port}?transport=tcp',
      'turns:turn-tcp.canary.test:${port}?transport=tcp'], username: 'a', credential: 'b' } ] });
  peer.createDataChannel('x');
  await peer.setLocalDescription(await peer.createOffer());
  const other = new RTCPeerConnection();
  await other.setRemoteDescription(peer.localDescription);
  await other.setLocalDescription(await other.createAnswer());
  await peer.setRemoteDescription(other.localDescription);
  for (const protocol of ['udp', 'tcp']) for (const host of ['127.0.0.1', '::1'])
    await peer.addIceCandidate({ sdpMid: '0', candidate:
      'candidate:1 1 ' + protocol + ' 2122260223 ' + host + ' ${port} typ host' + (protocol === 'tcp' ? ' tcptype passive' : '') });
});
attempt(() => new WebTransport('https://127.0.0.1:${port}/').ready);
for (const host of ${JSON.stringify(PRIVATE_HOSTS)}) {
  attempt(() => fetch('http://' + host + ':${port}/'));
  attempt(() => fetch('https://' + host + ':${port}/'));
  attempt(() => { new Image().src = '//' + host + ':${port}/' });
  attempt(() => { new WebSocket('ws://' + host + ':${port}/') });
}
</script></body></html>`;
}
