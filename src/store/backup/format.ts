import type { OwnTable } from './own-tables.ts'

// A backup is a text, packed with gzip:
//
//   build-service backup 1
//   {the header}
//   rows of the first table, as PostgreSQL's COPY writes them, one a line
//   \.
//   …
//   {"rows":[the number of rows of each table]}
//   sha256 HEX                                   (of all before)

export const format = 1
export const title = 'build-service backup '
export const checksum = 'sha256 '

/** The line after the rows of a table. No row equals it, because COPY doubles backslashes. */
export const endOfRows = '\\.\n'

export interface BackupHeader {
  /** The version of build-service that made it. */
  version: string
  created_at: string
  /** The migrations that were run on the database. */
  migrations: readonly string[]
  /** Identifies the master key that the secrets are sealed with; null if there is none yet. */
  key_fingerprint: string | null
  tables: readonly OwnTable[]
  /** The last value of each sequence. */
  sequences: Readonly<Record<string, string>>
}

export interface BackupFooter {
  /** How many rows each table has, in the order of the header. */
  rows: readonly number[]
}

/** The progress of writing or restoring a backup. */
export interface Progress {
  /** The number of finished tables, and of all tables. */
  tables: number
  of: number
  /** The rows of the finished tables. */
  rows: number
  /** The bytes copied so far, before compression. */
  bytes: number
}

/** A table and its columns in a statement. */
export const copied = ({ name, columns }: OwnTable) => `${name} (${columns.join(', ')})`
