import { type Service, type ServiceParts, ServicePlans } from '@fabrica/backend';
import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import { BylineWatch } from './bylines.ts';
import { PictureDescriber } from './describe-picture.ts';
import type { DeskContext } from './desk-context.ts';
import { Schedule } from './publishing/schedule.ts';
import { deskRoutes } from './routes.ts';
import { ColumnWatch } from './translations/column-watch.ts';
import { CommentTranslator } from './translations/comments/translate-comment.ts';
import { Glossary } from './translations/glossary/glossary.ts';
import { TranslationJobs } from './translations/jobs/translation-jobs.ts';
import { Originals } from './translations/original.ts';
import { PostExamination } from './translations/records/examine-posts.ts';

interface DeskOptions {
  /** The id of the journal's project. */
  projectId: string;
  parseMarkdown: ParseMarkdown;
  /** The origins of absolute URLs of the site's own images. */
  imageOrigins?: readonly string[];
  /** Epoch ms. */
  now?: () => number;
  /** Milliseconds after which another node goes on with the translations of one that has died; 10 s by default. */
  leaseMs?: number;
  /** Milliseconds after a call of the model that failed; 1 s by default, and longer after each further one. */
  firstPauseMs?: number;
}

/**
 * Returns the factory of the editorial desk, a service of the journal at `/api/desk/{projectId}`: working copies,
 * publications, revisions and previews (docs/decisions/editorial-desk.md).
 */
export function createDesk({
  projectId,
  parseMarkdown,
  imageOrigins = [],
  now = Date.now,
  ...timing
}: DeskOptions): (parts: ServiceParts) => Service {
  return ({ projects, bus, limits, log, meter, publicUrl, rowsQuota, textModel, readPicture }) => {
    const project = projects.get(projectId);
    if (!project) throw new Error(`The desk needs the project "${projectId}".`);
    const plans = new ServicePlans(project, now);
    const originals = new Originals(parseMarkdown);
    const glossary = new Glossary(project, bus);
    const shared = {
      project,
      bus,
      plans,
      limits,
      log,
      meter,
      publicUrl,
      imageOrigins,
      rowsQuota,
      now,
      originals,
      glossary,
      judge: textModel.judge,
    };
    const desk: DeskContext = {
      ...shared,
      wakeSchedule: () => schedule.wake(),
      wakeJobs: textModel.name ? () => jobs.wake() : undefined,
    };
    const jobs = new TranslationJobs({ ...timing, desk, model: textModel });
    const schedule = new Schedule(desk);
    const watch = new ColumnWatch(desk);
    const bylines = new BylineWatch(desk);
    const examination = new PostExamination(desk);
    const comments = new CommentTranslator(desk, textModel);
    const pictures = new PictureDescriber({ desk, model: textModel, readPicture });
    return {
      routes: deskRoutes(desk, { jobs, comments, pictures }),
      async close() {
        const closing = [watch, bylines, examination, schedule, jobs, comments].map((one) => one.close());
        await Promise.all(closing);
      },
    };
  };
}
