export {
  createOutboxMailer,
  discardKept,
  type KeptMail,
  type OutboxMailerOptions,
  readOutbox,
} from './file-transport.ts';
export {
  type AcceptedMail,
  createPostOffice,
  type PostOffice,
  type PostOfficeOptions,
  type PostOfficeTimes,
  type PreparedMail,
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
} from './mail-transport.ts';
export { mailMigrations } from './migrations.ts';
export {
  discardMails,
  listMails,
  type MailConnection,
  type MailState,
  type OutboxRow,
  readAttachments,
  retryMails,
  weighWaiting,
} from './outbox-queries.ts';
export { parseSender, type Sender } from './parse-sender.ts';
export { isOneLine, isPlainAddress } from './require-sendable.ts';
export { createSmtpMailer, type SmtpMailerOptions } from './smtp-transport.ts';
