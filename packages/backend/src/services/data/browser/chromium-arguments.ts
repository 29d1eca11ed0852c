/**
 * The features of Chromium that no page needs. Of two `--disable-features` Chromium takes the last one, so those that
 * Playwright disables are among them.
 */
export const DISABLED_FEATURES: readonly string[] = [
  // Ways to the net, or to find things on it, that no page needs for its picture.
  'AsyncDns',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'DnsOverHttps',
  'Prerender2',
  'Translate',
  // A process for each window, for suggestions below an address bar that nobody sees, and one in reserve.
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Playwright's.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** The same of these. The last one: pictures further down are there when the whole page is taken. */
const BLINK_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'lazyLoadEnabled=false',
];

/** What Playwright would switch on for tests of one's own pages, and is not for pages of strangers. */
export const UNWANTED_ARGUMENTS = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-unsafe-swiftshader',
];

/** For a Chromium that goes to the net through its proxy and by no other way. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  // Names are the proxy's to look up: here there is none but its own address.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  // UDP knows no HTTP proxy.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Nothing of its own accord.
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--no-pings',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-gpu',
  // Megabytes for the scripts of one page: a page that wants more is ended, and not the server.
  '--js-flags=--max-old-space-size=512',
  `--blink-settings=${BLINK_SETTINGS.join(',')}`,
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];
