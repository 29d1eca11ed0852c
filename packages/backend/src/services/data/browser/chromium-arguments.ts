/**
 * The features of Chromium that no page needs. Of two `--disable-features` Chromium takes the last one, so those that
 * Playwright disables are among them.
 */
export const DISABLED_FEATURES: readonly string[] = [
  // Access to the network that no screenshot needs.
  'AsyncDns',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'DnsOverHttps',
  'Prerender2',
  'Translate',
  // Processes for windows, for suggestions of the address bar, and in reserve.
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

/** The same holds for these. The last one loads images further down before the whole page is captured. */
const BLINK_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'lazyLoadEnabled=false',
];

/** Arguments that Playwright adds for tests of trusted pages. */
export const UNWANTED_ARGUMENTS = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--enable-unsafe-swiftshader',
];

/** Arguments of a Chromium that reaches the network through its proxy alone. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  // Only the proxy resolves names.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  // HTTP proxies do not carry UDP.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Disables what Chromium does by itself.
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--no-pings',
  '--deny-permission-prompts',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-gpu',
  // Megabytes for the scripts of one page; a page that takes more is ended.
  '--js-flags=--max-old-space-size=512',
  `--blink-settings=${BLINK_SETTINGS.join(',')}`,
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];
