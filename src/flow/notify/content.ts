/** What is sent, sealed until then: it holds addresses that may be secret, and what private builds are about. */
export type Content = {
  /** Whether the address is encrypted in the build file: then nothing of it is shown or logged. */
  secret: boolean
} & (
  | {
      kind: 'webhook'
      url: string
      /** Whether the operator gave the address, so that it can be any. */
      trusted: boolean
      slug: string
      payload: Record<string, unknown>
    }
  | { kind: 'slack'; url: string; body: string }
  | { kind: 'email'; mail: MailContent }
)

export interface MailContent {
  to: string
  subject: string
  text: string
  inReplyTo: string
  headers: Record<string, string>
}
