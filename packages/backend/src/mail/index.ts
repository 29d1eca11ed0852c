export {
  discardMails,
  listMails,
  type MailConnection,
  type MailState,
  type OutboxRow,
  readAttachments,
  retryMails,
  weighWaiting,
} from './mail-queue.ts';
export type {
  AuthMail,
  AuthMailKind,
  MailAddress,
  MailAttachment,
  Mailer,
  MailMessage,
  OutgoingMail,
  RenderedMail,
  RenderMail,
} from './mailer.ts';
export { mailMigrations } from './migrations.ts';
export {
  createOutboxMailer,
  discardKept,
  type KeptMail,
  type OutboxMailerOptions,
  readOutbox,
} from './outbox.ts';
export { parseSender, type Sender } from './parse-sender.ts';
export {
  type AcceptedMail,
  createPostOffice,
  type PostOffice,
  type PostOfficeOptions,
  type PostOfficeTimes,
  type PreparedMail,
} from './post-office.ts';
export { isOneLine, isPlainAddress } from './require-sendable.ts';
export { createSmtpMailer, type SmtpMailerOptions } from './smtp.ts';
