export { createMailTransport } from './create-transport.ts';
export {
  createFileTransport,
  discardKept,
  type FileTransportOptions,
  type KeptMail,
  readOutbox,
} from './file-transport.ts';
export {
  type AcceptedMail,
  createMailQueue,
  type MailQueue,
  type MailQueueOptions,
  type MailQueueTimes,
  type PreparedMail,
} from './mail-queue.ts';
export type {
  AuthMail,
  AuthMailKind,
  MailAddress,
  MailAttachment,
  MailMessage,
  MailTransport,
  OutgoingMail,
  RenderedMail,
  RenderMail,
} from './mail-transport.ts';
export { mailMigrations, mailTables } from './migrations.ts';
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
export { type MailSettings, mailSettings, readMailSettings } from './settings.ts';
export { createSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts';
