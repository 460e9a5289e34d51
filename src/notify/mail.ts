import { createTransport } from 'nodemailer'
import { NotifyError } from './notify-error.ts'

/** A message in plain text to one address. */
export interface Mail {
  from: string
  to: string
  subject: string
  text: string
  /** Identical for each attempt, so that recipients can detect duplicates. */
  messageId: string
  inReplyTo?: string
  headers: Readonly<Record<string, string>>
}

const timeLimit = 20_000

/** Sends through a mail server; rejects with a NotifyError if the server did not accept the message. */
export function openMailer(url: string): (mail: Mail) => Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
    // Text of a commit must never be interpreted as the name of a file.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ from, to, subject, text, messageId, inReplyTo, headers }) => {
    const message = {
      from,
      // Passed as a single address: no part of it is parsed as a list of addresses.
      to: { name: '', address: to },
      subject,
      text,
      messageId,
      ...(inReplyTo === undefined ? {} : { inReplyTo, references: inReplyTo }),
      headers: { ...headers },
    }
    try {
      await transport.sendMail(message)
    } catch (error) {
      throw notifyError(error)
    }
  }
}

/** Rejections of this message or address are permanent; all other errors may be temporary. */
function notifyError(error: unknown): NotifyError {
  const { code = '', responseCode } = error as { code?: string; responseCode?: number }
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH'
  const said = responseCode === undefined ? code || 'no connection' : `it responded ${responseCode}`
  return new NotifyError(`the mail server rejected the message (${said})`, {
    temporary: !isFinal,
    ...(responseCode === undefined ? {} : { status: responseCode }),
    cause: error,
  })
}
