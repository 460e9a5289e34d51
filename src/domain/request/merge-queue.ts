import type { Rejection } from './decision.ts'

/** Branch folder in which the code host's merge queue keeps the commits to be checked. */
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

/** Name of a merge queue's ref in sentences: its branch. */
export function mergeQueueName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

/** Rejection of a request whose commit left the queue before the request was decided. */
export const leftQueue: Rejection = {
  reason: 'left_merge_queue',
  message:
    'the commit left the merge queue before it was built: queue ' +
    'the pull request again to build it',
}

/** Rejection of a request whose commit was merged before its event came. */
export const mergedAlready: Rejection = {
  reason: 'left_merge_queue',
  message:
    'the commit was merged before this event arrived: the push to its base branch is built instead',
}

/** Action of a request whose merge group has left its queue, from the event that reports this. */
export const leftQueueAction = 'destroyed'
