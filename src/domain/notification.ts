import type { Build, BuildState } from './build.ts'

/** The ways in which notifications are sent. */
export const notificationKinds = ['webhook', 'slack', 'email'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Targets that build files can name and nothing is sent to. */
export const unsentTargets = ['campfire', 'flowdock', 'hipchat', 'irc', 'pushover'] as const

export type NotificationState = 'waiting' | 'sent' | 'failed' | 'skipped'

/** What is sent about a build to one target, and how that went. */
export interface Notification {
  id: number
  /** Stays the same however often it is sent. */
  guid: string
  repository_id: number
  build_id: number
  /** What it follows from, counted from 1 there: so it is stored once. */
  cause_id: number
  position: number
  kind: NotificationKind
  /** The state of the build that it tells of. */
  event: string
  /** The target as it can be shown, without what is secret of it. */
  target: string
  stream: string | null
  /** Null for one that is skipped. */
  sealed_content: string | null
  state: NotificationState
  attempts: number
  /** What the target responded with last. */
  response_status: number | null
  /** Why it was not sent, the last time or at all. */
  message: string | null
  created_at: Date
  sent_at: Date | null
}

export type Frequency = 'always' | 'never' | 'change'

/** When a target wants to be told; what is missing has its default. */
export type Frequencies = Partial<
  Record<'on_success' | 'on_failure' | 'on_start' | 'on_cancel' | 'on_error', Frequency>
>

type Outcome = Pick<Build, 'state' | 'previous_state'>

/**
 * Whether a target wants to know of a build in this state; of starts only webhooks are told. Where
 * nothing is said of errored builds, what is said of failed ones holds (NT-25). So it does of canceled
 * ones, but for webhooks: no other target of a build file can say `on_cancel`.
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

/** The result of a build in a word or two, compared with that of the one before it. */
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

/** The same as a sentence. */
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

/** The result as a number, which programs read: null while there is none. */
export function resultNumber(state: string): 0 | 1 | null {
  if (state === 'passed') return 0
  return state === 'failed' || state === 'errored' ? 1 : null
}
