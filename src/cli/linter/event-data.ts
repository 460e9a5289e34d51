import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { oneOf } from './arguments.ts'

const text = { type: 'string' } as const

/** Options for the event's values in conditions. */
export const eventOptions = {
  event: text,
  branch: text,
  tag: text,
  repo: text,
  'head-branch': text,
  'head-repo': text,
  fork: { type: 'boolean' },
  sender: text,
  'commit-message': text,
  env: { type: 'string', multiple: true },
} as const

type Texts = 'event' | 'branch' | 'tag' | 'repo' | 'head-branch' | 'head-repo' | 'sender'

type EventValues = { [name in Texts | 'commit-message']?: string | undefined } & {
  fork?: boolean | undefined
  env?: string[] | undefined
}

const events = ['push', 'pull_request', 'cron', 'api'] as const

/** The event to evaluate conditions with, in their terms; undefined without any event option. */
export function readEvent(values: EventValues): ConditionData | undefined {
  if (!Object.keys(eventOptions).some((name) => name in values)) return undefined
  const { repo = null, tag = null, sender = null, fork = false, env = [] } = values
  const type = oneOf(events, 'event', values.event)
  // A pushed tag is its own branch (WH-23).
  const branch = values.branch ?? tag
  return {
    type,
    repo,
    branch,
    tag,
    sender,
    fork,
    commit_message: values['commit-message'] ?? null,
    head_repo: values['head-repo'] ?? repo,
    // Only a pull request has a head that differs from its branch.
    head_branch: values['head-branch'] ?? (type === 'pull_request' ? null : branch),
    env,
  }
}
