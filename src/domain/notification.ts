import type { Build, BuildState } from './build.ts'

/** The ways in which notifications are sent. */
export const notificationKinds = ['webhook', 'slack', 'email'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Targets that build files can name but that are never notified. */
export const unsentTargets = ['campfire', 'flowdock', 'hipchat', 'irc', 'pushover'] as const

export type NotificationState = 'waiting' | 'sent' | 'failed' | 'skipped'

/** A notification about a build for one target, with the result of sending it. */
export interface Notification {
  id: number
  /** Stays the same for all attempts to send. */
  guid: string
  repository_id: number
  build_id: number
  /** The cause of the notification, and its position there from 1, so that it is stored only once. */
  cause_id: number
  position: number
  kind: NotificationKind
  /** The state of the build that the notification reports. */
  event: string
  /** The target in a form that can be shown, without its secret parts. */
  target: string
  stream: string | null
  /** Null for a skipped notification. */
  sealed_content: string | null
  state: NotificationState
  attempts: number
  /** Status of the target's last response. */
  response_status: number | null
  /** Why the last attempt failed, or why the notification is not sent at all. */
  message: string | null
  created_at: Date
  sent_at: Date | null
}

export type Frequency = 'always' | 'never' | 'change'

/** When a target wants to be notified; missing keys have their defaults. */
export type Frequencies = Partial<
  Record<'on_success' | 'on_failure' | 'on_start' | 'on_cancel' | 'on_error', Frequency>
>

type Outcome = Pick<Build, 'state' | 'previous_state'>

/**
 * Whether a target is notified of a build in this state; only webhooks are notified of starts. Without
 * `on_error`, `on_failure` applies to errored builds (NT-25). Likewise for canceled builds, except for
 * webhooks: no other target of a build file can have `on_cancel`.
 */
export function isWanted(
  kind: NotificationKind,
  { on_success, on_failure, on_start, on_cancel, on_error }: Frequencies,
  { state, previous_state }: Outcome,
): boolean {
  const usual = kind === 'email' ? 'change' : 'always'
  const wasPassed = previous_state === 'passed' || previous_state === null
  const wasNotPassed = previous_state !== 'passed'
  if (state === 'started') return kind === 'webhook' && on_start === 'always'
  if (state === 'passed') return holds(on_success ?? usual, wasNotPassed)
  if (state === 'failed') return holds(on_failure ?? 'always', wasPassed)
  if (state === 'errored') return holds(on_error ?? on_failure ?? 'always', wasPassed)
  if (state === 'canceled') {
    const ofFailed = kind === 'webhook' ? undefined : on_failure
    return holds(on_cancel ?? ofFailed ?? 'always', wasPassed)
  }
  return false
}

function holds(frequency: Frequency, isChange: boolean): boolean {
  return frequency === 'always' || (frequency === 'change' && isChange)
}

/** The result of a build in a word or two, compared with the result of the build before it. */
export function resultWord({ state, previous_state }: Outcome): string {
  if (state === 'failed' && previous_state === 'passed') return 'Broken'
  if (state === 'passed' && previous_state === 'failed') return 'Fixed'
  if (state === 'failed' && previous_state === 'failed') return 'Still Failing'
  return plainWords[state]
}

const plainWords = {
  created: 'Pending',
  received: 'Pending',
  started: 'Pending',
  passed: 'Passed',
  failed: 'Failed',
  errored: 'Errored',
  canceled: 'Canceled',
} as const satisfies Record<BuildState, string>

/** The result of a build as a sentence, compared in the same way. */
export function resultSentence(outcome: Outcome): string {
  return sentences[resultWord(outcome)] ?? ''
}

const sentences: Readonly<Record<string, string>> = {
  Pending: 'The build has started.',
  Passed: 'The build passed.',
  Fixed: 'The build was fixed.',
  Failed: 'The build failed.',
  Broken: 'The build was broken.',
  'Still Failing': 'The build is still failing.',
  Errored: 'The build ended with an error.',
  Canceled: 'The build was canceled.',
}

/** The result as a number for programs; null while there is no result. */
export function resultNumber(state: string): 0 | 1 | null {
  if (state === 'passed') return 0
  return state === 'failed' || state === 'errored' ? 1 : null
}
