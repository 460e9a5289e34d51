import { type Draft, type Root, valueOf } from './drafts/draft.ts'
import { type Platform, platformOf, supports } from './support.ts'

interface Judged {
  platform: Platform
  hidden: ReadonlySet<string>
}

/** Takes from jobs what their language and os do not support (rule 17.9). */
export function unsupportedRemover(root: Root): (draft: Draft) => void {
  const known = new Map<string, Judged>()

  function judge(language: unknown, os: unknown): Judged {
    const name = `${root.idOf(language)} ${root.idOf(os)}`
    const judged = known.get(name) ?? judgeShared(root, platformOf(language, os))
    known.set(name, judged)
    return judged
  }

  return (draft) => {
    const { platform, hidden } = judge(valueOf(root, draft, 'language'), valueOf(root, draft, 'os'))
    draft.hidden = hidden
    for (const [key, value] of draft.own) {
      if (supports(key, value, platform)) continue
      draft.own.delete(key)
      // What it stood for does not come back.
      if (root.shared.has(key)) draft.hidden = new Set([...draft.hidden, key])
    }
  }
}

/** The shared keys are the same for all jobs of a platform. */
function judgeShared({ shared }: Root, platform: Platform): Judged {
  const hidden = [...shared].filter(([key, value]) => !supports(key, value, platform))
  return { platform, hidden: new Set(hidden.map(([key]) => key)) }
}
