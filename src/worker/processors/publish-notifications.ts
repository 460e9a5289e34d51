import { publishOutbox } from '../../flow/statuses/publish-outbox.ts'
import { repositoryOfStream } from '../../flow/statuses/streams.ts'
import { Postponed } from '../../queue/work.ts'
import { openTurns } from '../../reader/turns.ts'
import type { Processor } from '../processor.ts'

/**
 * Notifications wait for targets named by users, so only a few are sent at once, each holding a
 * connection of the pool meanwhile. Repositories take turns and leave room for each other: one
 * repository can name many targets that never respond.
 */
const takeTurn = openTurns({ of_all: 3, of_one: 2 })

/** Entries taken from the queue to wait for their turn: in total, and per repository. */
const mostTaken = 24
const mostOfOne = 8

const taken = new Map<string, number>()

export const publishNotifications: Processor<'notification.publish'> = {
  queue: 'notification.publish',
  role: 'worker',
  here: null,
  attempts: 5,
  pause: 1000,
  concurrency: () => mostTaken,
  async process({ stream }, { ctx }) {
    const key = repositoryOfStream(stream)
    const count = taken.get(key) ?? 0
    // The entry goes back to the queue, so that later entries are reached.
    if (count >= mostOfOne)
      throw new Postponed(new Error('other notifications of its repository go first'), null)
    taken.set(key, count + 1)
    try {
      await takeTurn({ of: 'pushes', key }, () => publishOutbox(ctx, stream, { most: 1 }))
    } finally {
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
  },
}
