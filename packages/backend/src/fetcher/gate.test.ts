import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DnsAnswers, startDnsStandIn } from '@fabrica/backend/testing/fetcher/dns-stand-in.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGate, type GateOptions } from './gate.ts';
import { createHostsFile } from './hosts-file.ts';
import { createNameResolver } from './name-resolver.ts';

const LIMITS = { timeoutMs: 1_500, concurrency: 128, perAccount: 8 };
const noHosts = async () => [];

/** Opens a gate whose names are those of a DNS stand-in. */
async function openGate(answers: DnsAnswers, options: Partial<GateOptions> = {}) {
  const dns = await startDnsStandIn(answers);
  onTestFinished(() => dns.close());
  const lookups = options.lookups ?? LIMITS;
  const resolver = createNameResolver({
    queryMs: lookups.timeoutMs,
    servers: [dns.server],
    hostsFile: noHosts,
  });
  return { dns, gate: createGate({ lookups, resolver, ...options }) };
}

const isDead = (name: string) => name.endsWith('.dead.test');
const deadNames = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.dead.test`);

describe('look-ups', () => {
  test('names of one account that never resolve delay nobody else, and end in time', async () => {
    const { dns, gate } = await openGate(
      { names: { 'site.test': ['93.184.216.34'] }, isSilent: isDead },
      { lookups: { ...LIMITS, perAccount: 8 } },
    );
    const dead = deadNames(16).map((name) => gate.resolve(name, 443, { account: 'ana' }));
    const ended = Promise.allSettled(dead);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await dns.askedFor('n7.dead.test');
    const { addresses } = await gate.resolve('site.test', 443, { account: 'ben' });
    expect(isOver).toBe(false);
    expect(addresses).toEqual([{ address: '93.184.216.34', family: 4 }]);
    // The other names of the account wait for the first ones.
    expect(new Set(dns.asked.filter(isDead)).size).toBe(8);
    for (const one of await ended) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'FETCH_TIMEOUT', status: 504 } });
    }
  });

  test('accounts that fill all look-ups together let a newcomer in first', async () => {
    const { gate } = await openGate(
      { names: { 'site.test': ['93.184.216.34'] }, isSilent: isDead },
      { lookups: { ...LIMITS, concurrency: 4, perAccount: 2 } },
    );
    const leaving = new AbortController();
    let ended = 0;
    const crowd = deadNames(20).map((name, index) =>
      gate.resolve(name, 443, { account: `account ${index % 2}`, signal: leaving.signal }).catch(() => {
        ended += 1;
      }),
    );
    await gate.resolve('site.test', 443, { account: 'newcomer' });
    // After the four that were under way, and before most of those that wait.
    expect(ended).toBeLessThan(12);
    leaving.abort();
    await Promise.all(crowd);
  });

  test('a look-up ends with the request that it is for, and its permit goes to the next', async () => {
    const { dns, gate } = await openGate(
      { names: {}, isSilent: isDead },
      { lookups: { timeoutMs: 30_000, concurrency: 1, perAccount: 1 } },
    );
    const [first, second] = [new AbortController(), new AbortController()];
    const left = gate.resolve('one.dead.test', 443, { account: 'ana', signal: first.signal });
    const next = gate.resolve('two.dead.test', 443, { account: 'ben', signal: second.signal });
    await dns.askedFor('one.dead.test');
    expect(dns.asked).not.toContain('two.dead.test');
    first.abort(new Error('Gone.'));
    await expect(left).rejects.toThrow('Gone.');
    await dns.askedFor('two.dead.test');
    second.abort(new Error('Gone as well.'));
    await expect(next).rejects.toThrow('Gone as well.');
  });

  test('an account with too many names that wait is told when to come back', async () => {
    const { gate } = await openGate(
      { names: {}, isSilent: isDead },
      { lookups: { ...LIMITS, timeoutMs: 50 } },
    );
    const caller = new AbortController();
    const settled = await Promise.allSettled(
      deadNames(200).map((name, index) => {
        if (index === 199) caller.abort();
        return gate.resolve(name, 443, { account: 'ana', signal: caller.signal });
      }),
    );
    const refused = settled.filter((one) => one.status === 'rejected' && one.reason.code === 'RATE_LIMITED');
    expect(refused.length).toBe(200 - 128 - 8 - 1);
    expect(refused[0]).toMatchObject({ reason: { status: 429, retryAfter: expect.any(Number) } });
  });

  test.each([
    ['has both kinds of IP addresses', ['93.184.216.34', '2606:4700::1111'], () => false, 2],
    ['has IPv6 alone', ['2606:4700::1111'], () => false, 1],
    ['gets no answer for IPv6', ['93.184.216.34'], (_: string, family: number) => family === 6, 1],
    ['gets no answer for IPv4', ['2606:4700::1111'], (_: string, family: number) => family === 4, 1],
  ])('a name that %s is resolved', async (_, addresses, isSilent, count) => {
    // Longer than a busy machine takes.
    const lookups = { ...LIMITS, timeoutMs: 60_000 };
    const { gate } = await openGate({ names: { 'site.test': addresses }, isSilent }, { lookups });
    const started = performance.now();
    expect((await gate.resolve('site.test', 443)).addresses).toHaveLength(count);
    expect(performance.now() - started).toBeLessThan(lookups.timeoutMs / 2);
  });

  test.each([
    ['nobody.test', 'FETCH_FAILED'],
    ['silent.dead.test', 'FETCH_TIMEOUT'],
    ['localhost', 'ADDRESS_REFUSED'],
    ['deep.localhost', 'ADDRESS_REFUSED'],
    ['rebound.test', 'ADDRESS_REFUSED'],
    ['mapped.test', 'ADDRESS_REFUSED'],
  ])('the name %s ends in %s', async (name, code) => {
    const names = { 'rebound.test': ['93.184.216.34', '10.0.0.1'], 'mapped.test': ['::ffff:10.0.0.1'] };
    const { gate } = await openGate({ names, isSilent: isDead });
    await expect(gate.resolve(name, 443)).rejects.toMatchObject({ code });
  });

  test('names of the hosts file are found there, also after it has changed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'hosts');
    const hostsFile = createHostsFile(path);
    expect(await hostsFile('wiki.intern')).toEqual([]);
    writeFileSync(
      path,
      '# ours\n10.0.0.5\tWiki.intern wiki # the wiki\n\nfd00::5 wiki.intern\nnonsense wiki\n',
    );
    expect(await hostsFile('wiki.intern')).toEqual(['10.0.0.5', 'fd00::5']);
    expect(await hostsFile('wiki')).toEqual(['10.0.0.5']);
    const resolver = createNameResolver({ queryMs: 100, servers: ['127.0.0.1:1'], hostsFile });
    expect(await resolver('wiki', new AbortController().signal)).toEqual([
      { address: '10.0.0.5', family: 4 },
    ]);
  });
});

describe('own addresses', () => {
  const interfaces = () => ({
    lo: [{ address: '127.0.0.1' }],
    eth0: [{ address: '93.184.216.34' }, { address: '2606:4700:10::6814:1' }, { address: 'fe80::1%eth0' }],
  });
  const names = {
    'own.test': ['93.184.216.34'],
    'own6.test': ['2606:4700:10::6814:1'],
    'mixed.test': ['1.1.1.1', '93.184.216.34'],
    'journal.test': ['8.8.4.4', '2606:4700:20::1'],
    'same.test': ['8.8.4.4'],
    'metadata.google.internal': ['1.1.1.1'],
    'metadata.goog': ['1.1.1.1'],
    'other.test': ['1.1.1.1'],
  };
  const OWN = [
    '93.184.216.34',
    '[::ffff:93.184.216.34]',
    '[::ffff:5db8:d822]',
    '[::93.184.216.34]',
    '[64:ff9b::93.184.216.34]',
    '[64:ff9b:1::5db8:d822]',
    '[2002:5db8:d822::1]',
    '[2001:0:5db8:d822::1]',
    // Translators with prefixes of their own.
    '[2a00:1098:2c::5db8:d822]',
    '[2a00:1098:5db8:d822::]',
    '[2a00:1098:5d:b8d8:22::]',
    '[2a00:1098:0:1:5d:b8d8:2200:0]',
    '[2a00:1098:2c::a9fe:a9fe]',
    '[2606:4700:10::6814:1]',
    '[2606:4700:0010:0:0:0:6814:0001]',
    'own.test',
    'own.test.',
    'OWN6.test',
    'mixed.test',
    'journal.test',
    'same.test',
    '8.8.4.4',
    '[2606:4700:20::1]',
    '[2a00:1098:2c::808:404]',
    'metadata.google.internal',
    'metadata.google.internal.',
    'Metadata.goog',
    'metadata',
    'instance-data',
    'instance-data.ec2.internal',
    'metadata.azure.internal',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '100.64.0.1',
    '[fd00:ec2::254]',
  ];

  test.each(OWN)('the host %s is refused, because it leads to this machine or its cloud', async (host) => {
    const { gate } = await openGate({ names }, { interfaces, publicHost: 'journal.test' });
    for (const port of [80, 443, 6379]) {
      await expect(gate.resolve(host, port)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    }
  });

  test.each(['1.1.1.1', 'other.test', '93.184.216.35', '[2606:4700:10::6814:2]', '[2a00:1098:2c::1]'])(
    'the host %s is none of this machine, and is not refused',
    async (host) => {
      const { gate } = await openGate({ names }, { interfaces, publicHost: 'journal.test' });
      expect((await gate.resolve(host, 443)).addresses).toHaveLength(1);
    },
  );

  test('the operator may list an address of this machine', async () => {
    const { gate } = await openGate(
      { names },
      { interfaces, allowHosts: ['93.184.216.34:8080', 'own.test:80'] },
    );
    expect((await gate.resolve('93.184.216.34', 8080)).port).toBe(8080);
    expect((await gate.resolve('own.test', 80)).port).toBe(80);
    await expect(gate.resolve('own.test', 443)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
  });

  test('an open connection to an address of this machine may not be used', async () => {
    const { gate } = await openGate({ names }, { interfaces });
    for (const address of ['93.184.216.34', '::ffff:93.184.216.34', '2606:4700:10::6814:1']) {
      expect(gate.isAllowed({ host: 'other.test', port: 443, address })).toBe(false);
    }
    expect(gate.isAllowed({ host: 'other.test', port: 443, address: '1.1.1.1' })).toBe(true);
  });

  test('a public host that DNS does not know refuses nothing else', async () => {
    const { gate } = await openGate({ names, isSilent: isDead }, { interfaces, publicHost: 'x.dead.test' });
    expect((await gate.resolve('other.test', 443)).addresses).toHaveLength(1);
  });
});
