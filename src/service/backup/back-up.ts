import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { logsOutside, type Snapshot, takeSnapshot } from '../../store/backup/write-backup.ts'
import { refuseOtherDatabase, refuseUnusedFolder } from '../database-mark.ts'
import { onDiskWithRoom } from '../open/full-disk.ts'
import { readVersion } from '../version.ts'
import { type CopyOptions, withClient } from './copying-client.ts'
import { type KeyOfBackup, keyOfBackup } from './key-of-backup.ts'

export interface BackedUp {
  tables: number
  rows: number
  /** Size of the file. */
  bytes: number
  key: KeyOfBackup
  /** How many logs are in stores outside of the database. */
  outside: { place: string; count: number }[]
}

/** Writes the database to a file, whether or not the service runs. */
export async function backUp(config: Config, options: CopyOptions): Promise<BackedUp> {
  const { file } = options
  refuseUnusedFolder(config)
  await refuseOtherDatabase(config)
  if (existsSync(file)) {
    throw new SetupError(
      `there is a file ${file} already: name another one, or remove it first, because no backup is overwritten`,
    )
  }
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  const handle = await open(partial, 'wx', 0o600).catch((error: unknown) => unwritable(file, error))
  try {
    const done = await onDiskWithRoom(config, () => copyTo(handle, config, options))
    const { size } = await stat(partial)
    await rename(partial, file)
    return { ...done, bytes: size }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function copyTo(
  handle: FileHandle,
  config: Config,
  { file, log, stop, onProgress }: CopyOptions,
): Promise<Omit<BackedUp, 'bytes'>> {
  const output = handle.createWriteStream({ flush: true })
  const options = { version: readVersion(), now: new Date(), onProgress }
  return await withClient(config, log, async (client) => {
    const snapshot = (await takeSnapshot(client, options)) ?? unused(config)
    await write(snapshot, output, stop).catch((error: unknown) => unwritable(file, error))
    const { tables, rows } = snapshot.progress
    const key = await keyOfBackup(config, snapshot.header.key_fingerprint)
    return { tables, rows, key, outside: await logsOutside(client) }
  }).finally(() => output.destroy())
}

async function write(
  { text }: Snapshot,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(text, createGzip(), output, { signal })
}

/** Turns a file system error into a message; rethrows all other errors. */
function unwritable(file: string, error: unknown): never {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) throw error
  throw new SetupError(
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `the disk of the backup ${file} is full: free some space there, or name a file on another disk`
      : `the backup ${file} cannot be written (${code}): name a file in a folder that this user can write to`,
  )
}

function unused({ databaseUrl, dataDir }: Config): never {
  const place = databaseUrl === undefined ? `in the folder ${dataDir}` : 'of DATABASE_URL'
  const setting = databaseUrl === undefined ? 'DATA_DIR to its folder' : 'it to its database'
  throw new SetupError(
    `the database ${place} was never used by build-service, so there is nothing to back up: set ${setting}`,
  )
}
