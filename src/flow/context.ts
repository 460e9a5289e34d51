import type { Logger } from 'pino'
import type { Codehosts } from '../codehost/codehost.ts'
import type { Config } from '../config/config.ts'
import type { Notifier } from '../notify/notifier.ts'
import type { Objects } from '../objects/objects.ts'
import type { Adding } from '../queue/queues.ts'
import type { Reader } from '../reader/reader.ts'
import type { KeyPairMaker } from '../secrets/key-pair.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { Database } from '../store/tables.ts'

/** The dependencies of the verbs. Time and the network are among them, so that tests can replace them. */
export interface Context extends Adding {
  db: Database
  codehosts: Codehosts
  notifier: Notifier
  sealer: Sealer
  objects: Objects
  /** Makes a key pair, which takes a second or more. Concurrent callers that want the same one share it. */
  newKeyPair: KeyPairMaker
  /** The time for display, or if seconds do not matter. Leases, claims and waits use the database's (D40). */
  now(): Date
  log: Logger
  /** Reads build files, which can be crafted so that reading them takes long. */
  reader: Reader
  config: FlowConfig
}

export type FlowConfig = Pick<
  Config,
  | 'statusContext'
  | 'jobsWithoutIsolation'
  | 'otherMachines'
  | 'machineChoice'
  | 'unmetMinutes'
  | 'ownerJobs'
  | 'queues'
  | 'requestsPerHour'
  | 'logLimit'
  | 'logAgeLimit'
  | 'jobMinutes'
  | 'executor'
  | 'forkApproval'
  | 'languageVersions'
  | 'pathVariable'
  | 'silenceMinutes'
  | 'cancelGraceSeconds'
  | 'activateInstalled'
  | 'admins'
  | 'gheHost'
  | 'owners'
  | 'statusForSkipped'
  | 'buildCheck'
  | 'smtpUrl'
  | 'mailFrom'
  | 'notificationUrl'
  | 'bodyRetentionDays'
  | 'logDays'
  | 'buildDays'
  | 'buildsKept'
  | 'catchUpTags'
  | 'allowedLogins'
  | 'allowedOrganizations'
> & { publicUrl: string }
