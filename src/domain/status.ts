import type { BuildState } from './build.ts'
import type { EventType } from './request.ts'

/** A commit status, as code hosts know it. */
export interface CommitStatus {
  state: 'pending' | 'success' | 'failure' | 'error'
  context: string
  description: string
  target_url: string
}

const meanings = {
  created: ['pending', 'The build is waiting'],
  received: ['pending', 'The build is waiting'],
  started: ['pending', 'The build is running'],
  passed: ['success', 'The build passed'],
  failed: ['failure', 'The build failed'],
  errored: ['error', 'The build ended with an error'],
  canceled: ['error', 'The build was canceled'],
} as const satisfies Record<BuildState, readonly [CommitStatus['state'], string]>

/** One context per kind of build, so that a branch's and a pull request's do not hide each other. */
export function statusContext(eventType: EventType, middle: string): string {
  return `continuous-integration/${middle}/${eventType === 'pull_request' ? 'pr' : 'push'}`
}

/** State and description for a build in this state. */
export function statusOf(state: BuildState): Pick<CommitStatus, 'state' | 'description'> {
  const [status, description] = meanings[state]
  return { state: status, description }
}

export const waitsForApproval: Pick<CommitStatus, 'state' | 'description'> = {
  state: 'pending',
  description: 'The build waits for the approval of a maintainer',
}

/** For a request skipped on purpose: a required context must not stay pending forever (NT-08). */
export function skippedStatus(reason: string): Pick<CommitStatus, 'state' | 'description'> {
  return { state: 'success', description: `No build: ${reason}`.slice(0, 140) }
}
