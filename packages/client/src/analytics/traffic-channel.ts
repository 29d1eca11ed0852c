/** The channel that led a reader to a page, in the words of the wire contract's clients. */
type TrafficChannel =
  | 'Direct'
  | 'Organic Search'
  | 'Paid Search'
  | 'Social'
  | 'Email'
  | 'Display'
  | 'Affiliate'
  | 'Referral';

/** The channels of common values of `utm_medium`. The first match wins. */
const MEDIA: readonly [RegExp, TrafficChannel][] = [
  [/^(e-?mail|newsletter)$/, 'Email'],
  [/^(cpc|ppc|sem|paid.*)$/, 'Paid Search'],
  [/^(display|banner|cpm)$/, 'Display'],
  [/^affiliates?$/, 'Affiliate'],
  [/^social/, 'Social'],
  [/^organic$/, 'Organic Search'],
  [/^referral$/, 'Referral'],
];

/** The channels of common hosts. Mail comes first, because search engines host it too (`mail.google.com`). */
const HOSTS: readonly [RegExp, TrafficChannel][] = [
  [/(^|\.)(mail|webmail|outlook)\./, 'Email'],
  [
    /(^|\.)(google|bing|duckduckgo|yahoo|baidu|yandex|ecosia|qwant|startpage|naver|seznam|kagi)\.[a-z.]+$|^search\.brave\.com$/,
    'Organic Search',
  ],
  [
    /(^|\.)(facebook|instagram|twitter|linkedin|reddit|youtube|tiktok|pinterest|threads|tumblr|whatsapp|telegram|mastodon|bsky|vk)\.[a-z]+$|^(x\.com|t\.co|t\.me|lnkd\.in|youtu\.be|news\.ycombinator\.com)$/,
    'Social',
  ],
];

/** Returns the channel of the campaign's medium if that is known, else the channel of the URL that linked here. */
export function findTrafficChannel(medium: string | undefined, referrer: string | undefined): TrafficChannel {
  const byMedium = medium && find(MEDIA, medium.trim().toLowerCase());
  if (byMedium) return byMedium;
  return referrer ? (find(HOSTS, new URL(referrer).hostname) ?? 'Referral') : 'Direct';
}

function find(list: readonly [RegExp, TrafficChannel][], text: string): TrafficChannel | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1];
}
