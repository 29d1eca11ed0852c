import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const S3 = { S3_BUCKET: 'plates', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };

/** Returns what the operator is told who starts the process with these settings. */
function faultsOf(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

describe('the server between nodes', () => {
  it('is none, or a Redis', () => {
    expect(parseConfig({}).realtime.redisUrl).toBeUndefined();
    for (const REDIS_URL of [
      'redis://localhost',
      'rediss://:secret@redis.example:6380/2',
      'redis+sentinel://ada:se%40cret@one.example,two.example:26380,[::1]/journal/1',
      'redis+sentinel://:secret@one.example/journal?sentinel_password=se%40cret',
      'rediss+cluster://:secret@10.0.0.1:7000,10.0.0.2',
    ]) {
      expect(parseConfig({ REDIS_URL }).realtime.redisUrl).toBe(REDIS_URL);
    }
  });

  it('is a fault when it is no address of one, which is not shown', () => {
    for (const REDIS_URL of [
      'http://:secret@redis.example',
      'redis:secret',
      'redis://redis.example/secret',
      'redis://secret.example,redis.example',
      'redis://secret.example:99999',
      'redis://redis.example?db=secret',
      'redis://redis.example?sentinel_password=secret',
      'redis+sentinel://redis.example/name?sentinel_password=secret%',
      'redis+sentinel://:secret@redis.example',
      'redis+sentinel://redis.example/name/secret',
      'redis+cluster://:secret@redis.example/1',
      'redis+cluster://:secret@one.example,,two.example',
      'redis://:secret%@redis.example',
    ]) {
      const fault = faultsOf({ REDIS_URL });
      expect(fault).toMatch(/REDIS_URL: must .*such as redis:\/\//);
      expect(fault).not.toContain('secret');
    }
  });
});

it.each([
  ['9400', { host: '127.0.0.1', port: 9400 }],
  ['10.0.0.5:9400', { host: '10.0.0.5', port: 9400 }],
  ['[::1]:9400', { host: '::1', port: 9400 }],
])('metrics are served at %s', (METRICS_PORT, metrics) => {
  expect(parseConfig({ METRICS_PORT }).observed.metrics).toEqual(metrics);
});

it.each(['no', '0', '70000', ':9400', '::1:9400', 'http://10.0.0.5:9400'])(
  'metrics are not served at %s',
  (METRICS_PORT) => {
    expect(faultsOf({ METRICS_PORT })).toContain('METRICS_PORT: must be a port');
  },
);

describe('single events of readers', () => {
  it('are kept for ninety days, or as many as the operator says', () => {
    expect(parseConfig({}).analytics.retentionDays).toBe(90);
    expect(parseConfig({ ANALYTICS_RETENTION: '7' }).analytics.retentionDays).toBe(7);
    for (const ANALYTICS_RETENTION of ['0', '1.5', 'for ever'])
      expect(faultsOf({ ANALYTICS_RETENTION })).toContain('ANALYTICS_RETENTION: ');
  });
});

describe('the quota of an account', () => {
  it.each([
    [undefined, 2 ** 30],
    ['0', 0],
    ['123456', 123_456],
    ['500 MB', 500_000_000],
    ['500MiB', 500 * 2 ** 20],
    ['1.5 gib', 1.5 * 2 ** 30],
    ['2 TB', 2e12],
  ])('%s is %d bytes', (STORAGE_QUOTA, bytes) => {
    expect(parseConfig(STORAGE_QUOTA === undefined ? {} : { STORAGE_QUOTA }).storage.quota).toBe(bytes);
  });

  it.each(['much', '-1', '1 GiB each', '1e9', '10 elephants', '9999999999 TB'])(
    'is not %j',
    (STORAGE_QUOTA) => {
      expect(faultsOf({ STORAGE_QUOTA })).toContain(
        'STORAGE_QUOTA: must be a size such as `500 MB` or `1 GiB`',
      );
    },
  );
});

describe('the store of files', () => {
  it('is the disk, at our own address, when nothing is said', () => {
    const { publicUrl, s3 } = parseConfig({ PUBLIC_URL: 'https://journal.example' }).storage;
    expect({ publicUrl, s3 }).toEqual({ publicUrl: 'https://journal.example', s3: undefined });
  });

  it('may have an address of its own', () => {
    const environment = { PUBLIC_URL: 'https://journal.example', STORAGE_PUBLIC_URL: 'https://cdn.example/' };
    expect(parseConfig(environment).storage.publicUrl).toBe('https://cdn.example');
  });

  it('is a bucket when one is named', () => {
    const { s3 } = parseConfig({
      ...S3,
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_PREFIX: 'shared/journal/',
    }).storage;
    expect(s3).toEqual({
      bucket: 'plates',
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      prefix: 'shared/journal',
    });
    expect(parseConfig({ S3_BUCKET: 'plates', S3_REGION: 'eu-central-1' }).storage.s3).toEqual({
      bucket: 'plates',
      endpoint: undefined,
      region: 'eu-central-1',
      credentials: undefined,
      prefix: '',
    });
  });

  it.each([
    [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET: name a bucket when the other S3 settings are set'],
    [{ ...S3, S3_SECRET_ACCESS_KEY: '' }, 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both, or neither'],
    [{ ...S3, S3_ENDPOINT: 's3.example' }, 'S3_ENDPOINT: must be an http(s) address'],
    [{ ...S3, S3_BUCKET: 'plates/journal' }, 'S3_BUCKET: must be the name of a bucket'],
    [{ ...S3, S3_PREFIX: '../other' }, 'S3_PREFIX: must be'],
    [{ STORAGE_PUBLIC_URL: 'https://cdn.example/files' }, 'STORAGE_PUBLIC_URL: must be an origin'],
  ])('is not %j', (environment, sentence) => {
    const faults = faultsOf(environment);
    expect(faults).toContain(sentence);
    expect(faults).not.toContain('"secret"');
  });
});
