import { AnalyticsFixture, type SentEvent } from '@fabrica/client/testing/analytics-fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FabricaClient } from '../client.ts';

const MINUTE = 60_000;

let stage: AnalyticsFixture;

beforeEach(() => {
  stage = new AnalyticsFixture();
});
afterEach(() => stage.close());

describe('an event', () => {
  it('says what happened, when and where, and nothing of the reader', async () => {
    const tab = stage.openTab({ href: 'https://journal.example/post/1?token=secret&lang=fr#state=secret' });
    tab.analytics.log('plate.enlarged', { plate: 3 });
    await stage.pass(3_000);
    expect(stage.calls).toHaveLength(1);
    const [call] = stage.calls;
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

  it('has its texts cut at 256 characters, however deep, and no half of a character', async () => {
    const tab = stage.openTab();
    tab.analytics.log('x'.repeat(300), { deep: { list: ['y'.repeat(257)] }, emoji: `${'z'.repeat(255)}😀` });
    await stage.pass(3_000);
    expect(stage.calls[0]?.events[0]).toMatchObject({
      type: 'x'.repeat(256),
      deep: { list: ['y'.repeat(256)] },
      emoji: 'z'.repeat(255),
    });
  });

  it('is sent without its data when that is no JSON, or too much', async () => {
    const tab = stage.openTab();
    const circle: SentEvent = {};
    circle.self = circle;
    tab.analytics.log('circle', circle);
    tab.analytics.log('number', { big: 1n });
    tab.analytics.log('large', { list: Array.from({ length: 100 }, () => 'x'.repeat(200)) });
    await stage.pass(3_000);
    expect(stage.types().flat()).toEqual(['circle', 'number', 'large']);
    for (const event of stage.calls[0]?.events ?? []) expect(Object.keys(event)).not.toContain('list');
  });

  it('names the user when it is told to, and cannot be renamed by its data', async () => {
    const tab = stage.openTab();
    tab.analytics.log('one', { user_id: 'other', type: 'other' });
    tab.analytics.setUserId('user_1');
    tab.analytics.log('two', { session_id: 'other', user_id: 'other' });
    tab.analytics.setUserId(null);
    tab.analytics.log('three');
    await stage.pass(3_000);
    const [one, two, three] = stage.calls[0]?.events ?? [];
    expect(stage.types().flat()).toEqual(['one', 'two', 'three']);
    expect([one?.user_id, two?.user_id, three?.user_id]).toEqual([undefined, 'user_1', undefined]);
    expect(two?.session_id).toBe(three?.session_id);
  });
});

describe('a page view', () => {
  it('is of the address or of a path, without query and fragment', async () => {
    const tab = stage.openTab({ href: 'https://journal.example/gallery?access_token=secret' });
    tab.analytics.pageView();
    tab.analytics.pageView('/post/1?code=secret#top');
    await stage.pass(3_000);
    expect(stage.calls[0]?.events.map(({ type, pathname }) => [type, pathname])).toEqual([
      ['pageview', '/gallery'],
      ['pageview', '/post/1'],
    ]);
  });

  it('tells the site that linked here once: not again inside, after a reload, or for our own links', async () => {
    const referrer = 'https://museum.example/private/letter?to=me';
    const first = stage.openTab({ referrer });
    first.analytics.log('early');
    first.analytics.pageView('/gallery');
    first.analytics.pageView('/post/1');
    await stage.pass(3_000);
    const reloaded = stage.openTab({ referrer });
    reloaded.analytics.pageView('/post/1');
    await stage.pass(3_000);
    const linked = stage.openTab({ referrer: 'https://journal.example/gallery' });
    linked.analytics.pageView('/post/2');
    await stage.pass(3_000);
    const seen = stage.calls.flatMap(({ events }) => events.map((event) => [event.referrer, event.channel]));
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
  ])('of %s from %s is %s', async (query, referrer, channel) => {
    const tab = stage.openTab({ href: `https://journal.example/gallery${query}`, referrer });
    tab.analytics.pageView();
    await stage.pass(3_000);
    expect(stage.calls[0]?.events[0]).toMatchObject({ channel });
  });
});

describe('a session', () => {
  async function sessionOf(client: FabricaClient): Promise<unknown> {
    client.analytics.log('ping');
    await stage.pass(3_000);
    return stage.calls.at(-1)?.events.at(-1)?.session_id;
  }

  it('is shared by the tabs, lives while there are events, and ends after 30 minutes without', async () => {
    const [one, two] = [stage.openTab(), stage.openTab()];
    const id = await sessionOf(one);
    await stage.pass(29 * MINUTE);
    expect(await sessionOf(two)).toBe(id);
    await stage.pass(29 * MINUTE);
    expect(await sessionOf(one)).toBe(id);
    await stage.pass(30 * MINUTE);
    expect(await sessionOf(one)).not.toBe(id);
  });

  it('keeps the campaign that it began with until another one or `clearAttribution`', async () => {
    const campaign = '?utm_source=letter&utm_medium=email&utm_campaign=autumn&utm_content=a&utm_term=b';
    const tab = stage.openTab({ href: `https://journal.example/gallery${campaign}` });
    tab.analytics.pageView();
    tab.window.location.href = 'https://journal.example/post/1';
    tab.analytics.pageView();
    await stage.pass(3_000);
    const kept = { utm_source: 'letter', utm_medium: 'email', utm_campaign: 'autumn', channel: 'Email' };
    expect(stage.calls[0]?.events).toEqual([expect.objectContaining(kept), expect.objectContaining(kept)]);
    expect(stage.calls[0]?.events[1]).toMatchObject({ utm_content: 'a', utm_term: 'b', pathname: '/post/1' });

    const other = stage.openTab({
      href: 'https://journal.example/gallery?utm_source=club&utm_medium=social',
    });
    other.analytics.pageView();
    await stage.pass(3_000);
    expect(stage.calls[1]?.events[0]).toMatchObject({ utm_source: 'club', channel: 'Social' });
    expect(stage.calls[1]?.events[0]).not.toHaveProperty('utm_campaign');

    other.analytics.clearAttribution();
    other.analytics.pageView();
    await stage.pass(3_000);
    expect(stage.calls[2]?.events[0]).toMatchObject({ channel: 'Direct' });
    expect(stage.calls[2]?.events[0]).not.toHaveProperty('utm_source');
  });
});

describe('whether to count', () => {
  it.each([
    ['do-not-track', { navigator: { doNotTrack: '1' } }],
    ['do-not-track in words', { navigator: { doNotTrack: 'yes' } }],
    ['do-not-track of old browsers', { window: { doNotTrack: '1' } }],
    ['Global Privacy Control', { navigator: { globalPrivacyControl: true } }],
  ])('is the reader’s: %s is not overruled', async (_, facts) => {
    const before = stage.openTab({ navigator: { onLine: false } });
    before.analytics.log('before');
    await stage.pass();
    before.analytics.destroy();
    expect(stage.browser.getItem('fabrica_analytics_journal_queue')).not.toBeNull();
    const tab = stage.openTab(facts);
    tab.analytics.enable();
    expect(tab.analytics.isEnabled()).toBe(false);
    tab.analytics.pageView();
    void tab.analytics.flush();
    await stage.pass(MINUTE);
    expect(stage.calls).toEqual([]);
    expect(stage.browser.getItem('fabrica_analytics_journal_queue')).toBeNull();
    expect(stage.browser.getItem('fabrica_analytics_journal_session')).toBeNull();
  });

  it.each(['0', 'unspecified', null])('is yes when do-not-track says %s', (doNotTrack) => {
    expect(stage.openTab({ navigator: { doNotTrack } }).analytics.isEnabled()).toBe(true);
  });

  it('is remembered for all tabs; what waits is thrown away, and the session forgotten', async () => {
    const [one, two] = [stage.openTab(), stage.openTab()];
    one.analytics.log('before');
    await stage.pass();
    two.analytics.disable();
    expect(one.analytics.isEnabled()).toBe(false);
    one.analytics.log('meanwhile');
    await stage.pass(MINUTE);
    expect(stage.openTab().analytics.isEnabled()).toBe(false);
    expect(stage.browser.getItem('fabrica_analytics_journal_session')).toBeNull();
    one.analytics.enable();
    expect(stage.openTab().analytics.isEnabled()).toBe(true);
    one.analytics.log('after');
    await stage.pass(3_000);
    expect(stage.types().flat()).toEqual(['after']);
  });

  it('is no outside a browser, until it is asked for', async () => {
    const { analytics } = stage.connect({ window: undefined });
    expect(analytics.isEnabled()).toBe(false);
    analytics.log('before');
    analytics.enable();
    analytics.log('after');
    await stage.pass(3_000);
    expect(stage.types().flat()).toEqual(['after']);
    expect(stage.calls[0]?.events[0]).not.toHaveProperty('pathname');
  });
});
