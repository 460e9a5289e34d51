import type { Mail } from '../../src/notify/mail.ts'
import type { Notifier } from '../../src/notify/notifier.ts'
import type { NotifyError } from '../../src/notify/notify-error.ts'
import type { Post } from '../../src/notify/post.ts'

export interface MemoryNotifier extends Notifier {
  posted: (Post & { trusted: boolean })[]
  mailed: Mail[]
  /** While set, everything fails with it. */
  failure: NotifyError | undefined
}

/** Sends nothing, and keeps what was to be sent. */
export function memoryNotifier(): MemoryNotifier {
  const notifier: MemoryNotifier = {
    posted: [],
    mailed: [],
    failure: undefined,
    post: async (post) => keep({ ...post, trusted: false }),
    postTrusted: async (post) => keep({ ...post, trusted: true }),
    mail: async (mail) => {
      if (notifier.failure) throw notifier.failure
      notifier.mailed.push(mail)
    },
  }
  function keep(post: Post & { trusted: boolean }): number {
    if (notifier.failure) throw notifier.failure
    notifier.posted.push(post)
    return 200
  }
  return notifier
}
