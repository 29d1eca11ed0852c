export type { AuthMail, AuthMailKind, Mailer, MailMessage, RenderMail } from './mailer.ts';
export { createOutboxMailer, type KeptMail, type OutboxMailerOptions, readOutbox } from './outbox.ts';
export { parseSender, type Sender } from './parse-sender.ts';
export {
  createPostOffice,
  POST_OFFICE_TIMES,
  type PostOffice,
  type PostOfficeOptions,
  type PostOfficeTimes,
} from './post-office.ts';
export { createSmtpMailer, type SmtpMailerOptions } from './smtp.ts';
