import type { Bus, Meter, Project, RateLimits, ServicePlans, TextModel, UserCaller } from '@fabrica/backend';
import type { Logger } from 'pino';
import type { Glossary } from './translations/glossary/glossary.ts';
import type { Originals } from './translations/original.ts';

/** The parts that the desk stands on. */
export interface DeskContext {
  /** The journal's project, which alone has a desk. */
  project: Project;
  bus: Bus;
  plans: ServicePlans;
  limits: RateLimits;
  log: Logger;
  /** The segments of originals. */
  originals: Originals;
  /** The terms of the project. */
  glossary: Glossary;
  meter?: Meter | undefined;
  /** Without a trailing slash. */
  publicUrl: string;
  /** The origins of absolute URLs of the site's own images. */
  imageOrigins: readonly string[];
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
  /** Epoch ms. */
  now: () => number;
  /** Looks for what is due, now that something was scheduled. */
  wakeSchedule: () => void;
  /** Looks for translation jobs, now that one was added; undefined where no model is set up. */
  wakeJobs: (() => void) | undefined;
  /** The model that reads translations once more; undefined where there is none. */
  judge: TextModel['judge'];
}

/** The parts that the desk's own jobs stand on: nobody's requests are counted there, but the bytes of what is written for somebody. */
export type JobContext = Omit<DeskContext, 'limits' | 'imageOrigins'> & {
  limits: Pick<RateLimits, 'enabled'>;
};

/** A verb on a post by a signed-in account. */
export interface PostRequest {
  desk: DeskContext;
  caller: UserCaller;
  postId: string;
}
