import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isRoot, type JobUser } from '../job-user.ts'
import { claimsIn } from './directory-locks.ts'
import { usersInUse } from './processes.ts'

const firstUid = 64_000
const lastUid = 64_999
const count = lastUid - firstUid + 1
const claimsFolder = '/run/build-service/job-users'
const latestFile = path.join(claimsFolder, 'latest')

export interface JobUsers {
  /** A user for exclusive use until it is released; undefined unless the service runs as root. */
  take(): JobUser | undefined
  /** Claims the given user; false if a job of another runner has claimed it. */
  takeThis(user: JobUser): boolean
  release(user: JobUser | undefined): void
}

/**
 * Users for jobs, from id 64000 on; no accounts are needed. Runners of this machine share the ids, and
 * no two jobs have the same id at a time: all processes of a job's user die with the job. An id that
 * some process still runs as is skipped: that process must not see what the next job does. A released id
 * is reused only after all others, because files of its job may be left somewhere.
 */
export function createJobUsers(): JobUsers {
  const claims = claimsIn(claimsFolder)
  return {
    take() {
      if (!isRoot()) return undefined
      const used = usersInUse()
      const latest = readLatest()
      for (let step = 1; step <= count; step++) {
        const uid = firstUid + ((latest - firstUid + step) % count)
        if (used.has(uid) || !claims.claim(String(uid))) continue
        writeFileSync(latestFile, String(uid))
        return { uid, gid: uid }
      }
      throw new Error(`all user ids from ${firstUid} to ${lastUid} are in use`)
    },
    takeThis: ({ uid }) => claims.claim(String(uid)),
    release(user) {
      if (user) claims.release(String(user.uid))
    },
  }
}

/** The id that was claimed last on this machine; a random id after the machine has started. */
function readLatest(): number {
  try {
    const uid = Number(readFileSync(latestFile, 'latin1'))
    if (uid >= firstUid && uid <= lastUid) return uid
  } catch {
    // No job has run yet.
  }
  return randomInt(firstUid, lastUid + 1)
}
