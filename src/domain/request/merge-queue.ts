import type { Rejection } from './decision.ts'

/** Where the code host's merge queue keeps the commits that it wants to have checked. */
const queueFolder = 'gh-readonly-queue/'

/** Whether a branch belongs to a merge queue: `gh-readonly-queue/main/pr-7-<sha>` (D37). */
export function isQueueBranch(name: string): boolean {
  return name.startsWith(queueFolder)
}

/** The pull request that a ref of a merge queue was made for; null for any other ref. */
export function queuedPullNumber(ref: string | null): number | null {
  const number = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]+$/.exec(ref ?? '')?.[1]
  return number === undefined ? null : Number(number)
}

/** A ref of a merge queue as it stands in sentences: its branch. */
export function mergeQueueName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

/** Of a request whose commit left the queue before it was decided. */
export const leftQueue: Rejection = {
  reason: 'left_merge_queue',
  message:
    'the commit has left the merge queue before it was built: ' +
    'put the pull request into the queue again to have it built',
}

/** The action of a request whose group has left its queue: that of the event that says so. */
export const leftQueueAction = 'destroyed'
