import { usersInUse } from './processes.ts'

/** Whom a job's programs run as. */
export interface JobUser {
  uid: number
  gid: number
}

/** As whom the probe tries things out. No job ever runs as this one. */
export const probeUser: JobUser = { uid: 63_999, gid: 63_999 }

const firstUid = 64_000
const lastUid = 64_999

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

export interface JobUsers {
  /** A user for one job, to be given back; undefined where the service is no root and has no choice. */
  take(): JobUser | undefined
  giveBack(user: JobUser | undefined): void
}

/**
 * Hands out user ids from 64000 on, the lowest free one first; no accounts are needed. One that some
 * process still runs as is passed over: it may have escaped from an earlier job, or belong to
 * another runner of this machine, and must not see what the next job does.
 */
export function createJobUsers(): JobUsers {
  const taken = new Set<number>()
  return {
    take() {
      if (!isRoot()) return undefined
      const used = usersInUse()
      for (let uid = firstUid; uid <= lastUid; uid++) {
        if (taken.has(uid) || used.has(uid)) continue
        taken.add(uid)
        return { uid, gid: uid }
      }
      throw new Error(`all user ids from ${firstUid} to ${lastUid} are in use`)
    },
    giveBack: (user) => {
      if (user) taken.delete(user.uid)
    },
  }
}
