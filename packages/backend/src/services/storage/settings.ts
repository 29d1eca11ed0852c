import { z } from 'zod';
import { parseBytes } from '../../core/parse-bytes.ts';
import { httpUrl, originSetting, type SettingsValues } from '../../core/settings.ts';
import type { S3Settings } from './blobs/s3.ts';

export const storageSettings = {
  STORAGE_QUOTA: z
    .string()
    .default('1 GiB')
    .refine(
      (text) => parseBytes(text) !== undefined,
      'must be a size such as `500 MB` or `1 GiB`, or 0 for no limit',
    )
    .describe('Size that the files of one account may have together, such as `500 MB`; 0 is no limit.'),
  STORAGE_PUBLIC_URL: originSetting
    .optional()
    .describe('Origin of the URLs of files, where a CDN stands in front of them. Default: `PUBLIC_URL`.'),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'must be the name of a bucket')
    .optional()
    .describe('Keeps files in this bucket of an S3-compatible store. Without it, they are in `DATA_DIR`.'),
  S3_ENDPOINT: httpUrl
    .optional()
    .describe('The URL of that store, such as `https://s3.example.org`. Default: Amazon’s.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Its region.'),
  S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Its access key. Without one, the machine’s own credentials for Amazon are used.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('The secret of that key.'),
  S3_PREFIX: z
    .string()
    .regex(/^([\w-][\w.-]*(\/|$))*$/, 'must be names with "/" between them')
    .default('')
    .transform((value) => value.replace(/\/$/, ''))
    .describe('Prefix of all keys in the bucket, where it is shared.'),
};

type Values = SettingsValues<typeof storageSettings>;

/** Returns the settings of storage. What does not fit together is added to `faults`. */
export function readStorageSettings(values: Values, publicUrl: string, faults: string[]) {
  return {
    // Bytes that the files of one account may take together; 0: any number.
    quota: parseBytes(values.STORAGE_QUOTA) ?? 0,
    publicUrl: values.STORAGE_PUBLIC_URL ?? publicUrl,
    s3: readS3Settings(values, faults),
  };
}

function readS3Settings(values: Values, faults: string[]): S3Settings | undefined {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (!values.S3_BUCKET && (values.S3_ENDPOINT || accessKeyId)) {
    faults.push('S3_BUCKET: name a bucket when the other S3 settings are set');
  }
  if (!accessKeyId !== !secretAccessKey) {
    faults.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both, or neither');
  }
  if (!values.S3_BUCKET) return undefined;
  return {
    bucket: values.S3_BUCKET,
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    prefix: values.S3_PREFIX,
  };
}
