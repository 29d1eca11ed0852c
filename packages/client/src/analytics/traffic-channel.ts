/** The ways to a page, in the words that clients of the wire contract use. */
export type TrafficChannel =
  | 'Direct'
  | 'Organic Search'
  | 'Paid Search'
  | 'Social'
  | 'Email'
  | 'Display'
  | 'Affiliate'
  | 'Referral';

/** What the makers of campaigns write in `utm_medium`; the first that fits. */
const MEDIA: readonly [RegExp, TrafficChannel][] = [
  [/^(e-?mail|newsletter)$/, 'Email'],
  [/^(cpc|ppc|sem|paid.*)$/, 'Paid Search'],
  [/^(display|banner|cpm)$/, 'Display'],
  [/^affiliates?$/, 'Affiliate'],
  [/^social/, 'Social'],
  [/^organic$/, 'Organic Search'],
  [/^referral$/, 'Referral'],
];

/** Mail comes first: it lives with the search engines (`mail.google.com`). */
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

/** From the campaign's medium when it says something, else from the page that linked here (its address). */
export function findTrafficChannel(medium: string | undefined, referrer: string | undefined): TrafficChannel {
  const named = medium && find(MEDIA, medium.trim().toLowerCase());
  if (named) return named;
  return referrer ? (find(HOSTS, new URL(referrer).hostname) ?? 'Referral') : 'Direct';
}

function find(list: readonly [RegExp, TrafficChannel][], text: string): TrafficChannel | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1];
}
