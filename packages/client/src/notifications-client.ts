import {
  EMAIL_INCOMPLETE,
  type EmailRequest,
  type EmailResponse,
  type NotificationSettings,
} from '@fabrica/contract';
import { NetworkError, ValidationError } from './http/errors.ts';
import type { HttpClient } from './http/http.ts';

export interface NotificationsClient {
  /**
   * Has a mail sent: with the secret key to anybody, else to oneself. Resolves once it is sure to be sent. Throws a
   * ValidationError for what is no mail; FORBIDDEN, UNVERIFIED_SENDER, RATE_LIMITED, PAYLOAD_TOO_LARGE.
   */
  email(mail: EmailRequest): Promise<EmailResponse>;
  /** Which mails about what others do are wanted, by kind. */
  settings(): Promise<NotificationSettings>;
  /** Changes those that are named. */
  changeSettings(notices: NotificationSettings['notices']): Promise<NotificationSettings>;
  /** Stops mails by the token of one of them, without a sign-in: about that one thing, or all of their kind. */
  stop(token: string, scope: 'one' | 'all'): Promise<void>;
}

/** The check of docs/spec/product.md section 5 is made before anything is sent. */
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
    const { body, status } = await http.request(json === undefined ? request : { ...request, json });
    if (typeof body !== 'object' || body === null || !(field in body)) throw new NetworkError({ status });
    return body as T;
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
    async stop(token, scope) {
      await call<{ success: true }>('POST', '/stop', { json: { token, scope }, field: 'success' });
    },
  };
}
