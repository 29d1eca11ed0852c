import { AnalyticsFixture, type SentEvent } from '@fabrica/client/testing/analytics-fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FabricaClient } from '../client.ts';

const MINUTE = 60_000;

let fixture: AnalyticsFixture;

beforeEach(() => {
  fixture = new AnalyticsFixture();
});
afterEach(() => fixture.close());

describe('an event', () => {
  it('an event has its type, time and page, and nothing about the reader', async () => {
    const tab = fixture.openTab({ href: 'https://journal.example/post/1?token=secret&lang=fr#state=secret' });
    tab.analytics.log('plate.enlarged', { plate: 3 });
    await fixture.advance(3_000);
    expect(fixture.calls).toHaveLength(1);
    const [call] = fixture.calls;
    expect(call?.url).toBe('https://journal.example/api/analytics/journal/log');
    expect(call?.init).toMatchObject({ method: 'POST', keepalive: true, credentials: 'omit' });
    expect(call?.init.headers).toEqual({ 'content-type': 'application/json' });
    expect(call?.events).toEqual([
      {
        type: 'plate.enlarged',
        timestamp: '2026-11-22T00:00:00.000Z',
        session_id: expect.stringMatching(/^\w{14}$/),
        pathname: '/post/1',
        screen_width: 1280,
        language: 'fr-CA',
        channel: 'Direct',
        plate: 3,
      },
    ]);
  });

  it('all texts of an event are cut at 256 characters, without half of a character', async () => {
    const tab = fixture.openTab();
    tab.analytics.log('x'.repeat(300), { deep: { list: ['y'.repeat(257)] }, emoji: `${'z'.repeat(255)}😀` });
    await fixture.advance(3_000);
    expect(fixture.calls[0]?.events[0]).toMatchObject({
      type: 'x'.repeat(256),
      deep: { list: ['y'.repeat(256)] },
      emoji: 'z'.repeat(255),
    });
  });

  it('an event whose data is too large or cannot be JSON is sent without it', async () => {
    const tab = fixture.openTab();
    const circle: SentEvent = {};
    circle.self = circle;
    tab.analytics.log('circle', circle);
    tab.analytics.log('number', { big: 1n });
    tab.analytics.log('large', { list: Array.from({ length: 100 }, () => 'x'.repeat(200)) });
    await fixture.advance(3_000);
    expect(fixture.types().flat()).toEqual(['circle', 'number', 'large']);
    for (const event of fixture.calls[0]?.events ?? []) expect(Object.keys(event)).not.toContain('list');
  });

  it('an event has the user id that was set, and its data cannot replace it', async () => {
    const tab = fixture.openTab();
    tab.analytics.log('one', { user_id: 'other', type: 'other' });
    tab.analytics.setUserId('user_1');
    tab.analytics.log('two', { session_id: 'other', user_id: 'other' });
    tab.analytics.setUserId(null);
    tab.analytics.log('three');
    await fixture.advance(3_000);
    const [one, two, three] = fixture.calls[0]?.events ?? [];
    expect(fixture.types().flat()).toEqual(['one', 'two', 'three']);
    expect([one?.user_id, two?.user_id, three?.user_id]).toEqual([undefined, 'user_1', undefined]);
    expect(two?.session_id).toBe(three?.session_id);
  });
});

describe('a page view', () => {
  it('a page view has the path of the page or the given one, without query and fragment', async () => {
    const tab = fixture.openTab({ href: 'https://journal.example/gallery?access_token=secret' });
    tab.analytics.pageView();
    tab.analytics.pageView('/post/1?code=secret#top');
    await fixture.advance(3_000);
    expect(fixture.calls[0]?.events.map(({ type, pathname }) => [type, pathname])).toEqual([
      ['pageview', '/gallery'],
      ['pageview', '/post/1'],
    ]);
  });

  it('a page view reports the linking site once: not on later pages, after a reload, or for links within the site', async () => {
    const referrer = 'https://museum.example/private/letter?to=me';
    const first = fixture.openTab({ referrer });
    first.analytics.log('early');
    first.analytics.pageView('/gallery');
    first.analytics.pageView('/post/1');
    await fixture.advance(3_000);
    const reloaded = fixture.openTab({ referrer });
    reloaded.analytics.pageView('/post/1');
    await fixture.advance(3_000);
    const linked = fixture.openTab({ referrer: 'https://journal.example/gallery' });
    linked.analytics.pageView('/post/2');
    await fixture.advance(3_000);
    const seen = fixture.calls.flatMap(({ events }) =>
      events.map((event) => [event.referrer, event.channel]),
    );
    expect(seen).toEqual([
      [undefined, 'Referral'],
      ['https://museum.example', 'Referral'],
      [undefined, 'Referral'],
      [undefined, 'Referral'],
      [undefined, 'Referral'],
    ]);
  });
});

describe('the channel', () => {
  it.each([
    ['', '', 'Direct'],
    ['?utm_medium=Email', 'https://www.google.com/', 'Email'],
    ['?utm_medium=newsletter', '', 'Email'],
    ['?utm_medium=social-media', '', 'Social'],
    ['?utm_medium=cpc', '', 'Paid Search'],
    ['?utm_medium=paid_social', '', 'Paid Search'],
    ['?utm_medium=banner', '', 'Display'],
    ['?utm_medium=affiliate', '', 'Affiliate'],
    ['?utm_medium=referral', '', 'Referral'],
    ['?utm_medium=unheard', 'https://duckduckgo.com/', 'Organic Search'],
    ['', 'https://www.google.co.uk/', 'Organic Search'],
    ['', 'https://search.yahoo.com/', 'Organic Search'],
    ['', 'https://mail.google.com/', 'Email'],
    ['', 'https://l.facebook.com/', 'Social'],
    ['', 'https://t.co/abc', 'Social'],
    ['', 'https://mastodon.social/', 'Social'],
    ['', 'https://netflix.com/', 'Referral'],
    ['', 'https://notgoogle.com/', 'Referral'],
    ['', 'android-app://com.google.android.gm/', 'Direct'],
  ])('the channel of the query "%s" with the referrer "%s" is %s', async (query, referrer, channel) => {
    const tab = fixture.openTab({ href: `https://journal.example/gallery${query}`, referrer });
    tab.analytics.pageView();
    await fixture.advance(3_000);
    expect(fixture.calls[0]?.events[0]).toMatchObject({ channel });
  });
});

describe('a session', () => {
  async function sessionOf(client: FabricaClient): Promise<unknown> {
    client.analytics.log('ping');
    await fixture.advance(3_000);
    return fixture.calls.at(-1)?.events.at(-1)?.session_id;
  }

  it('tabs share an analytics session, which ends after 30 minutes without an event', async () => {
    const [one, two] = [fixture.openTab(), fixture.openTab()];
    const id = await sessionOf(one);
    await fixture.advance(29 * MINUTE);
    expect(await sessionOf(two)).toBe(id);
    await fixture.advance(29 * MINUTE);
    expect(await sessionOf(one)).toBe(id);
    await fixture.advance(30 * MINUTE);
    expect(await sessionOf(one)).not.toBe(id);
  });

  it('an analytics session keeps its campaign until another one or `clearAttribution`', async () => {
    const campaign = '?utm_source=letter&utm_medium=email&utm_campaign=autumn&utm_content=a&utm_term=b';
    const tab = fixture.openTab({ href: `https://journal.example/gallery${campaign}` });
    tab.analytics.pageView();
    tab.window.location.href = 'https://journal.example/post/1';
    tab.analytics.pageView();
    await fixture.advance(3_000);
    const campaignFields = {
      utm_source: 'letter',
      utm_medium: 'email',
      utm_campaign: 'autumn',
      channel: 'Email',
    };
    expect(fixture.calls[0]?.events).toEqual([
      expect.objectContaining(campaignFields),
      expect.objectContaining(campaignFields),
    ]);
    expect(fixture.calls[0]?.events[1]).toMatchObject({
      utm_content: 'a',
      utm_term: 'b',
      pathname: '/post/1',
    });

    const other = fixture.openTab({
      href: 'https://journal.example/gallery?utm_source=club&utm_medium=social',
    });
    other.analytics.pageView();
    await fixture.advance(3_000);
    expect(fixture.calls[1]?.events[0]).toMatchObject({ utm_source: 'club', channel: 'Social' });
    expect(fixture.calls[1]?.events[0]).not.toHaveProperty('utm_campaign');

    other.analytics.clearAttribution();
    other.analytics.pageView();
    await fixture.advance(3_000);
    expect(fixture.calls[2]?.events[0]).toMatchObject({ channel: 'Direct' });
    expect(fixture.calls[2]?.events[0]).not.toHaveProperty('utm_source');
  });
});

describe('opting out', () => {
  it.each([
    ['Do Not Track', { navigator: { doNotTrack: '1' } }],
    ['Do Not Track as a word', { navigator: { doNotTrack: 'yes' } }],
    ['Do Not Track of old browsers', { window: { doNotTrack: '1' } }],
    ['Global Privacy Control', { navigator: { globalPrivacyControl: true } }],
  ])('%s turns counting off, and `enable` does not override it', async (_, facts) => {
    const before = fixture.openTab({ navigator: { onLine: false } });
    before.analytics.log('before');
    await fixture.advance();
    before.analytics.destroy();
    expect(fixture.browser.getItem('fabrica_analytics_journal_queue')).not.toBeNull();
    const tab = fixture.openTab(facts);
    tab.analytics.enable();
    expect(tab.analytics.isEnabled()).toBe(false);
    tab.analytics.pageView();
    void tab.analytics.flush();
    await fixture.advance(MINUTE);
    expect(fixture.calls).toEqual([]);
    expect(fixture.browser.getItem('fabrica_analytics_journal_queue')).toBeNull();
    expect(fixture.browser.getItem('fabrica_analytics_journal_session')).toBeNull();
  });

  it.each(['0', 'unspecified', null])('counting is on when Do Not Track is %s', (doNotTrack) => {
    expect(fixture.openTab({ navigator: { doNotTrack } }).analytics.isEnabled()).toBe(true);
  });

  it('`disable` applies to all tabs, and discards waiting events and the session', async () => {
    const [one, two] = [fixture.openTab(), fixture.openTab()];
    one.analytics.log('before');
    await fixture.advance();
    two.analytics.disable();
    expect(one.analytics.isEnabled()).toBe(false);
    one.analytics.log('meanwhile');
    await fixture.advance(MINUTE);
    expect(fixture.openTab().analytics.isEnabled()).toBe(false);
    expect(fixture.browser.getItem('fabrica_analytics_journal_session')).toBeNull();
    one.analytics.enable();
    expect(fixture.openTab().analytics.isEnabled()).toBe(true);
    one.analytics.log('after');
    await fixture.advance(3_000);
    expect(fixture.types().flat()).toEqual(['after']);
  });

  it('counting is off outside a browser until `enable`', async () => {
    const { analytics } = fixture.connect({ window: undefined });
    expect(analytics.isEnabled()).toBe(false);
    analytics.log('before');
    analytics.enable();
    analytics.log('after');
    await fixture.advance(3_000);
    expect(fixture.types().flat()).toEqual(['after']);
    expect(fixture.calls[0]?.events[0]).not.toHaveProperty('pathname');
  });
});
