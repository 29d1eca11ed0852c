import type { Row } from '../../core/bus.ts';
import type { Keys } from '../../core/keys.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { OutgoingMail, RenderedMail } from '../../mail/index.ts';
import type { DueNotice } from './notice-queries.ts';
import type { RecipientRow } from './queries.ts';
import { createStopToken } from './stop-token.ts';

/** Rows that a mail quotes. */
const QUOTED_ROWS = 10;

/** The content of a mail about new rows, which the product puts into words. */
export interface NoticeContent {
  /** The name of the project's rule. */
  kind: string;
  /** The recipient's language, one of the project's `languages`. */
  language: string;
  /** The recipient's row that the new rows refer to. */
  about: Row;
  /** The newest of the new rows, newest first; ten at most. */
  rows: readonly Row[];
  /** The number of new rows. */
  total: number;
  /** The URL of the product's page that stops such mails. */
  stopLink: string;
  /** The URL of the site. */
  siteUrl: string;
}

/** Writes the subject and the texts of a mail. Returns undefined for a kind without a text: no mail is sent then. */
export type RenderNotice = (notice: NoticeContent) => Promise<RenderedMail | undefined>;

export interface NoticeMailOptions {
  keys: Pick<Keys, 'refreshKeys'>;
  render: RenderNotice;
  publicUrl: string;
  /** Path of the product's page with the buttons that stop mails. */
  stopPage: string;
}

interface NoticeMailSubject {
  definition: ProjectDefinition;
  due: DueNotice;
  user: RecipientRow;
  about: Row;
  rows: readonly Row[];
}

/** Returns the texts of a mail and the headers by which mail programs stop such mails, or undefined for no mail. */
export async function renderNoticeMail(
  { definition, due, user, about, rows }: NoticeMailSubject,
  { keys, render, publicUrl, stopPage }: NoticeMailOptions,
): Promise<Omit<OutgoingMail, 'to'> | undefined> {
  const { id: projectId, languages = ['en'] } = definition;
  const language = user.language ?? languages[0] ?? 'en';
  const subject = { projectId, userId: user.id, kind: due.kind, aboutId: due.about_id };
  const token = encodeURIComponent(createStopToken(keys, subject));
  const rendered = await render({
    kind: due.kind,
    language,
    about,
    rows: rows.slice(0, QUOTED_ROWS),
    total: rows.length,
    stopLink: `${publicUrl}${stopPage}?token=${token}&lang=${encodeURIComponent(language)}`,
    siteUrl: publicUrl,
  });
  const headers = {
    // RFC 8058: mail programs show a button of their own, which needs no page.
    'List-Unsubscribe': `<${publicUrl}/api/notifications/${projectId}/stop?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return rendered && { ...rendered, headers };
}
