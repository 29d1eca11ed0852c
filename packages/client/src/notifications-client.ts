import {
  EMAIL_INCOMPLETE,
  type EmailRequest,
  type EmailResponse,
  type NotificationSettings,
} from '@fabrica/contract';
import { ValidationError } from './http/errors.ts';
import { type HttpClient, parseBody } from './http/http.ts';

export interface NotificationsClient {
  /**
   * Sends a mail: to anybody with the secret key, else to the signed-in user. Resolves when the mail is stored in the
   * outbox. Throws a ValidationError for an incomplete mail; FORBIDDEN, UNVERIFIED_SENDER, RATE_LIMITED,
   * PAYLOAD_TOO_LARGE.
   */
  email(mail: EmailRequest): Promise<EmailResponse>;
  /** Returns for each kind of mail about other people's actions whether the user wants it. */
  settings(): Promise<NotificationSettings>;
  /** Changes the kinds that are named. */
  changeSettings(notices: NotificationSettings['notices']): Promise<NotificationSettings>;
  /** Returns how many messages are kept for the operator. Throws FORBIDDEN for roles that may not edit the site. */
  countMessages(): Promise<{ messages: number }>;
  /** Stops mails with the token of one of them, without a sign-in: mails about one thing, or all of this kind. */
  stop(token: string, scope: 'one' | 'all'): Promise<void>;
}

/** Creates the client of notifications. It checks mails by docs/spec/product.md section 5 before it sends them. */
export function createNotificationsClient({
  http,
  projectId,
}: {
  http: HttpClient;
  projectId: string;
}): NotificationsClient {
  const base = `/api/notifications/${encodeURIComponent(projectId)}`;
  const call = async <T extends object>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { json, field }: { json?: unknown; field: keyof T },
  ): Promise<T> => {
    const request = { service: 'notifications', method, path: `${base}${path}` } as const;
    return parseBody<T>(await http.request(json === undefined ? request : { ...request, json }), field);
  };
  return {
    async email(mail) {
      if (!mail.to?.length || !mail.subject?.trim() || !(mail.html?.trim() || mail.text?.trim())) {
        throw new ValidationError(EMAIL_INCOMPLETE);
      }
      return call<EmailResponse>('POST', '/email', { json: mail, field: 'messageId' });
    },
    settings: () => call<NotificationSettings>('GET', '/settings', { field: 'notices' }),
    changeSettings: (notices) =>
      call<NotificationSettings>('PATCH', '/settings', { json: { notices }, field: 'notices' }),
    countMessages: () => call<{ messages: number }>('GET', '/messages', { field: 'messages' }),
    async stop(token, scope) {
      await call<{ success: true }>('POST', '/stop', { json: { token, scope }, field: 'success' });
    },
  };
}
