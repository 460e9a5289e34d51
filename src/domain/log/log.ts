/** One piece of a job's output. Numbers count from 1 in each attempt; the last part is final. */
export interface LogPart {
  number: number
  content: string
  final: boolean
}

/** Number of the single part that contains a whole log (D6). */
export const wholePart = 0

/** Number for parts that the service itself writes; they come after all of the runner's. */
export const lastPart = 2_147_483_647

/** Secrets found in a log and masked there: how many, by their kind. */
export type SecretsFound = Readonly<Record<string, number>>

export interface Log {
  /** Equal to the job's id (LG-01). */
  id: number
  aggregated_at: Date | null
  archived_at: Date | null
  /** When it was searched for secrets after the end of the job; null again with the next attempt. */
  scanned_at: Date | null
  /** The secrets found in the current attempt; null if there were none. */
  secrets_found: SecretsFound | null
  removed_at: Date | null
  removed_by_id: number | null
  created_at: Date
}

/** Seconds for which a log that seems complete is left alone: late parts may come. */
export const archiveDelay = 3 * 60

/** Seconds after its newest part from which a log without a final part is complete. */
export const withoutEndDelay = 3 * 60 * 60

/** Seconds within which an object is written; the schema deletes abandoned ones after as many. */
export const writingSeconds = 10 * 60

/** A member of a compressed text: how many parts it has, bytes of their text, its own, and their SHA-256. */
export type Member = readonly [parts: number, bytes: number, size: number, hash: string]

/** A part of the log: its number, the bytes of its text, and whether it was final. */
export type PackedPart = readonly [number: number, bytes: number, final: boolean]

/** The position of a log's parts within an object. */
export interface LogLayout {
  members: readonly Member[]
  parts: readonly PackedPart[]
}
