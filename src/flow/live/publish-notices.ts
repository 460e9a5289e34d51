import { isForAllReaders, isForAnyone } from '../../access/visibility.ts'
import type { BuildState } from '../../domain/build.ts'
import { isFinished, type JobState } from '../../domain/job/job.ts'
import { channelsOf, eventOfState, type LiveMessage, userChannel } from '../../domain/live.ts'
import type { Repository } from '../../domain/repository.ts'
import {
  liveBuild,
  liveJob,
  type LiveParts,
  partsAfter,
  permittedUsers,
  recentAttempts,
} from '../../store/live/live-records.ts'
import { type Notice, type PartsNotice, sendNotice } from '../../store/live/notices.ts'
import type { Context } from '../context.ts'
import { buildPayload, jobPayload, logPayload } from './payloads.ts'

/** The clients to whom this process publishes. */
export interface Audience {
  /** Whether a client listens on one of these channels. */
  listens(channels: readonly string[]): boolean
  /** The users who listen on their own channel; null if they are unknown. */
  users(): readonly number[] | null
  /** The jobs whose channels a client listens on. */
  jobs(): readonly number[]
  publish(message: LiveMessage): void
}

interface Parts extends Pick<Context, 'db' | 'log' | 'now'> {
  /** Whether public records are visible to everyone. */
  publicMode: boolean
  audience: Audience
}

export interface Publishing {
  take(notice: Notice): void
  /** Publishes the parts of logs whose notices may have been lost. */
  resume(): void
}

/** How far the log of a job has been noticed or published. */
interface Tail {
  attempt: number
  last: number
  /** Whether the last part was noticed. */
  ended: boolean
  /** When the runners were last notified that a client follows this log. */
  watched_at: number
}

const watchEvery = 20_000
const mostTails = 10_000
/** The number of tails searched for one that no client follows. */
const mostLooked = 100

/**
 * Turns notices into events for the audience. Texts and states are read when they are published, so
 * that records hidden in the meantime stay hidden, and only if a client listens.
 *
 * Nothing is published twice or left out: one writer stores the parts of an attempt in the order of
 * their numbers, so all parts after the last published number are read at once, whichever notices
 * arrived.
 */
export function createPublishing({ db, log, now, publicMode, audience }: Parts): Publishing {
  const tails = new Map<number, Tail>()
  const turns = new Map<string, Promise<void>>()

  /** Work with the same key runs in its order. */
  function inTurn(key: string, work: () => Promise<void>): Promise<void> {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      log.warn({ err: error, key }, 'a live event was not published')
    })
    turns.set(key, turn)
    void turn.then(() => {
      if (turns.get(key) === turn) turns.delete(key)
    })
    return turn
  }

  const followed = (jobId: number) => audience.listens(channelsOf('job', jobId, true))

  function tailOf(jobId: number, attempt: number, last: number): Tail {
    const known = tails.get(jobId)
    if (known && known.attempt >= attempt) return known
    const tail = { attempt, last, ended: false, watched_at: known?.watched_at ?? 0 }
    tails.delete(jobId)
    tails.set(jobId, tail)
    if (tails.size > mostTails) forgetOldest()
    return tail
  }

  function forgetOldest(): void {
    let looked = 0
    for (const [jobId] of tails) {
      if (!followed(jobId)) {
        tails.delete(jobId)
        return
      }
      looked += 1
      if (looked === mostLooked) return
    }
  }

  function takeParts({ job_id, attempt, from, to, final }: PartsNotice): void {
    // The first notice of an attempt can be about a later part, if this process has just begun to
    // listen.
    const tail = tailOf(job_id, attempt, tails.has(job_id) ? 0 : from - 1)
    if (attempt < tail.attempt) return
    tail.ended ||= final
    if (!followed(job_id)) {
      tail.last = Math.max(tail.last, to)
      return
    }
    tellRunners(job_id, tail)
    void inTurn(`job ${job_id}`, async () => {
      if (to > tail.last) await publishParts(job_id, tail)
    })
  }

  async function publishParts(jobId: number, tail: Tail): Promise<void> {
    let read: LiveParts
    do {
      read = await partsAfter(db, { job_id: jobId, attempt: tail.attempt }, tail.last)
      const channels = channelsOf('job', jobId, read.public && publicMode)
      for (const part of read.parts) {
        const data = JSON.stringify(logPayload(jobId, part))
        audience.publish({ channels, event: 'job:log', data })
        tail.last = part.number
      }
    } while (read.isFull)
  }

  function tellRunners(jobId: number, tail: Tail): void {
    const at = now().getTime()
    if (at - tail.watched_at < watchEvery) return
    tail.watched_at = at
    sendNotice(db, { kind: 'watched', job_id: jobId }).catch((error: unknown) => {
      log.debug({ err: error }, 'runners could not be notified that a log is followed')
    })
  }

  function takeJob(id: number, attempt: number, state: JobState, repository_id: number): void {
    const ends = isFinished({ state })
    if (!isWanted(repository_id, channelsOf('job', id, true))) {
      if (ends && tails.get(id)?.ended !== false) tails.delete(id)
      return
    }
    // The last part of a log is published before the end of its job: clients hang up then.
    const logged = inTurn(`job ${id}`, async () => {
      const tail = tailOf(id, attempt, 0)
      if (ends && !tail.ended && followed(id)) await publishParts(id, tail)
    })
    void inTurn(`repository ${repository_id}`, async () => {
      const live = await liveJob(db, id)
      await logged
      if (ends && tails.get(id)?.ended) tails.delete(id)
      if (!live) return
      const { job, repository } = live
      // A stage that did not pass ends the jobs of others, which no one has canceled one by one.
      const isEnded = state === 'canceled' && job.canceled_by_stage
      const event = `job:${isEnded ? 'finished' : eventOfState(state)}`
      const message = { event, payload: jobPayload(live, state) }
      const isPublic = publicMode && isForAnyone(repository, job)
      await publishState(repository, job, { ...message, own: channelsOf('job', id, isPublic) })
    })
  }

  function takeBuild(id: number, state: BuildState, repository_id: number): void {
    if (state === 'received' || !isWanted(repository_id, [])) return
    void inTurn(`repository ${repository_id}`, async () => {
      const live = await liveBuild(db, id)
      if (!live) return
      const message = { event: `build:${eventOfState(state)}`, payload: buildPayload(live, state) }
      await publishState(live.repository, live.build, { ...message, own: [] })
    })
  }

  function isWanted(repositoryId: number, own: readonly string[]): boolean {
    const users = audience.users()
    if (users === null || users.length > 0) return true
    return audience.listens([...own, ...channelsOf('repo', repositoryId, true)])
  }

  async function publishState(
    repository: Pick<Repository, 'id' | 'private'>,
    record: { private: boolean },
    { event, payload, own }: { event: string; payload: object; own: readonly string[] },
  ): Promise<void> {
    const among = audience.users()
    const users = among?.length === 0 ? [] : await permittedUsers(db, repository.id, among)
    // Anyone can listen to a public repository, but records from when it was private are only for
    // users with a role.
    const ofRepository = isForAllReaders(repository, record)
      ? channelsOf('repo', repository.id, publicMode && isForAnyone(repository))
      : []
    const channels = [...own, ...ofRepository, ...users.map(userChannel)]
    audience.publish({ channels, event, data: JSON.stringify(payload) })
  }

  return {
    take(notice) {
      if (notice.kind === 'parts') takeParts(notice)
      if (notice.kind === 'jobs') for (const job of notice.jobs) takeJob(...job)
      if (notice.kind === 'build') takeBuild(notice.id, notice.state, notice.repository_id)
    },

    resume() {
      void inTurn('resume', async () => {
        for (const { id, attempt } of await recentAttempts(db, audience.jobs())) {
          await inTurn(`job ${id}`, () => publishParts(id, tailOf(id, attempt, 0)))
        }
      })
    },
  }
}
