import { createGuard, type GuardOptions } from './guard.ts'
import { type Mail, openMailer } from './mail.ts'
import { type Post, post } from './post.ts'

/** The channels through which the service notifies recipients other than the code host. */
export interface Notifier {
  /** Posts to an address given by a user, if that is permitted. */
  post(message: Post): Promise<number>
  /** Posts to an address of the settings. */
  postTrusted(message: Post): Promise<number>
  /** Null where no mail server is set. */
  mail: ((mail: Mail) => Promise<void>) | null
}

export interface NotifierOptions extends GuardOptions {
  smtpUrl: string | undefined
}

export function openNotifier({ smtpUrl, ...options }: NotifierOptions): Notifier {
  const guard = createGuard(options)
  return {
    post: (message) => post(message, guard),
    postTrusted: (message) => post(message, null),
    mail: smtpUrl === undefined ? null : openMailer(smtpUrl),
  }
}
