import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import type { BackupHeader } from '../../store/backup/format.ts'
import { openBackup, verifyBackup } from '../../store/backup/read-backup.ts'
import {
  type Restored,
  restoreBackup,
  unknownMigrations,
} from '../../store/backup/restore-backup.ts'
import { embeddedFolder } from '../../store/embedded/server.ts'
import { commitBefore, isBefore } from '../../store/migrations/before-0.1.0.ts'
import { migrations } from '../../store/migrations/index.ts'
import { refuseOtherDatabase } from '../database-mark.ts'
import { onDiskWithRoom } from '../open/full-disk.ts'
import { type CopyingClient, type CopyOptions, withClient } from './copying-client.ts'
import { type KeyOfBackup, keyOfBackup } from './key-of-backup.ts'

export interface RestoredBackup extends Restored {
  made: Pick<BackupHeader, 'version' | 'created_at'>
  key: KeyOfBackup
}

/** Restores a backup into the empty database of the settings. Obstacles are found before any change. */
export async function restore(config: Config, options: CopyOptions): Promise<RestoredBackup> {
  const { file, log, stop } = options
  await refuseOtherDatabase(config)
  const made = await verifyBackup(file, stop)
  refuseLater(file, made)
  const key = await keyOfBackup(config, made.key_fingerprint)
  if (key.fits === 'no') throw otherKey(file, key)
  const restored = await onDiskWithRoom(config, () =>
    withClient(config, log, (client) => copyFrom(client, options)),
  )
  return { ...(restored ?? notEmpty(config)), made, key }
}

async function copyFrom(
  client: CopyingClient,
  { file, stop, onProgress }: CopyOptions,
): Promise<Restored | undefined> {
  const backup = await openBackup(file, stop)
  try {
    return await restoreBackup(client, backup, { migrations, onProgress })
  } finally {
    backup.close()
  }
}

function refuseLater(file: string, header: BackupHeader): void {
  const unknown = unknownMigrations(header, migrations)
  if (unknown.length === 0) return
  if (isBefore(header.migrations)) {
    throw new SetupError(
      `the backup ${file} was made by a version before 0.1.0: restore it with the version of commit ` +
        `${commitBefore}, then start this one on the restored database`,
    )
  }
  throw new SetupError(
    `the backup ${file} was made by a later version of build-service, ${header.version} (${unknown.join(', ')}): ` +
      'install that version or a later one, and restore with it',
  )
}

function otherKey(file: string, { place }: KeyOfBackup): SetupError {
  const has =
    place === 'MASTER_KEY' ? 'MASTER_KEY is a different key' : `${place} holds a different key`
  return new SetupError(
    `the secrets in the backup ${file} are sealed with a master key, and ${has}: set MASTER_KEY to the key of ` +
      'the service that was backed up, or replace the file by its master.key',
  )
}

function notEmpty({ databaseUrl, dataDir }: Config): never {
  throw new SetupError(
    databaseUrl === undefined
      ? `the database in the folder ${dataDir} is not empty, and a backup is restored into an empty one only: ` +
          `set DATA_DIR to a new folder, or stop the service and move ${embeddedFolder(dataDir)} elsewhere`
      : 'the database of DATABASE_URL is not empty, and a backup is restored into an empty one only: create ' +
          'another one, for instance with createdb, and name it in DATABASE_URL',
  )
}
