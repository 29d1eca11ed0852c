import type { PageBackend } from '../../backend-context.ts';
import { clientErrorCode } from '../../sign-in/forms/form-errors.ts';
import { countCharacters } from '../../ui/text-limit.tsx';

/** Characters of a quotation and of a message (`desk/translations/reports/routes.ts`). */
export const MAX_QUOTE = 2_000;
export const MAX_MESSAGE = 5_000;

interface Report {
  postId: string;
  /** The language of the translation. */
  language: string;
  /** The words of the translation that are in question; may be empty. */
  quote: string;
  message: string;
}

/** Says why a report was not sent. `too-long` holds for the quotation and for the message. */
export type ReportError = 'empty' | 'too-long' | 'removed' | 'too-many' | 'failed';

/** Returns what is wrong with a report before it is sent. */
export function findReportError({ quote, message }: Report): 'empty' | 'too-long' | undefined {
  if (!message.trim()) return 'empty';
  const isTooLong = countCharacters(message) > MAX_MESSAGE || countCharacters(quote) > MAX_QUOTE;
  return isTooLong ? 'too-long' : undefined;
}

/** Sends a report to those who review the translation. Rejects with a FabricaError, or when there is no connection. */
export async function sendReport(
  client: Pick<PageBackend['client'], 'request' | 'projectId'>,
  { postId, language, quote, message }: Report,
): Promise<void> {
  await client.request({
    method: 'POST',
    path: `/api/desk/${encodeURIComponent(client.projectId)}/translations/reports`,
    json: { postId, language, quote: quote.trim(), message: message.trim() },
  });
}

/** Returns why the server refused a report. */
export function reportErrorOf(error: unknown): Exclude<ReportError, 'empty' | 'too-long'> {
  const code = clientErrorCode(error);
  if (code === 'NOT_FOUND') return 'removed';
  return code === 'RATE_LIMITED' ? 'too-many' : 'failed';
}
