export { createMailTransport } from './create-transport.ts';
export {
  createFileTransport,
  deleteStoredMail,
  type FileTransportOptions,
  readStoredMails,
  type StoredMail,
} from './file-transport.ts';
export {
  createMailQueue,
  type MailQueue,
  type MailQueueOptions,
  type MailQueueTimes,
  type PreparedMail,
  type QueuedMail,
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
  countWaiting,
  deleteMails,
  listMails,
  type MailConnection,
  type MailState,
  type OutboxRow,
  readAttachments,
  retryMails,
} from './outbox-queries.ts';
export { parseSender, type Sender } from './parse-sender.ts';
export { isOneLine, isPlainAddress } from './require-sendable.ts';
export { type MailSettings, mailSettings, readMailSettings } from './settings.ts';
export { createSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts';
