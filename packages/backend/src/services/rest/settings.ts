import { z } from 'zod';
import { parseBytes } from '../../core/parse-bytes.ts';

export const restSettings = {
  ROWS_QUOTA: z
    .string()
    .default('50 MB')
    .refine(
      (text) => parseBytes(text) !== undefined,
      'must be a size such as `50 MB` or `1 GiB`, or 0 for no limit',
    )
    .describe('Size of the rows that one account may write in a day (UTC), such as `50 MB`; 0 is no limit.'),
};
