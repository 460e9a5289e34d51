import { existsSync } from 'node:fs'
import { type Config, readKeys } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { createSealer, type Sealer } from '../../secrets/seal.ts'
import { knownFingerprint, storeFingerprint } from '../../store/secrets/key-fingerprint.ts'
import { masterKeyFile, masterKeyPath } from '../../store/secrets/master-key.ts'
import type { Database } from '../../store/tables.ts'

type KeySettings = Pick<Config, 'masterKey' | 'dataDir'>

/** The sealer with this process's keys; undefined if it has none yet. Throws for an invalid key. */
export async function givenSealer({
  masterKey,
  dataDir,
}: KeySettings): Promise<Sealer | undefined> {
  if (masterKey === undefined && !existsSync(masterKeyPath(dataDir))) return
  return sealerOf(masterKey ?? (await masterKeyFile(dataDir)), dataDir)
}

/**
 * The sealer of a database, before migration. A new key is created only for a database that was never
 * used with a key: another key could open no sealed value, and webhooks of this machine would be
 * refused.
 */
export async function openSealer(
  db: Database,
  settings: KeySettings,
  given: Sealer | undefined,
): Promise<Sealer> {
  const known = await knownFingerprint(db)
  if (given === undefined && known !== undefined) throw otherKey(settings)
  const { dataDir } = settings
  const sealer = given ?? sealerOf(await masterKeyFile(dataDir), dataDir)
  if (known !== undefined) checkFingerprint(known, sealer, settings)
  return sealer
}

/** Binds a migrated database to its key. If two processes do so first, one of them wins. */
export async function bindKey(db: Database, settings: KeySettings, sealer: Sealer): Promise<void> {
  const [fingerprint = ''] = sealer.fingerprints
  checkFingerprint(await storeFingerprint(db, fingerprint), sealer, settings)
}

function sealerOf(written: string, dataDir: string): Sealer {
  const keys = readKeys(written)
  if (keys) return createSealer(...keys)
  throw new SetupError(
    `the file ${masterKeyPath(dataDir)} does not hold a key of 32 bytes: ` +
      'restore it from a backup (sealed secrets cannot be opened without it)',
  )
}

function checkFingerprint(known: string, sealer: Sealer, settings: KeySettings): void {
  if (!sealer.fingerprints.includes(known)) throw otherKey(settings)
}

function otherKey({ masterKey, dataDir }: KeySettings): SetupError {
  const file = masterKeyPath(dataDir)
  const has =
    masterKey !== undefined
      ? 'MASTER_KEY is a different key'
      : `this process has ${existsSync(file) ? `a different key, in ${file}` : 'none'}`
  return new SetupError(
    `the secrets of this database are sealed with a key, and ${has}: set MASTER_KEY to that key, ` +
      'which the other processes of this installation use (if it was never set there: the content ' +
      'of the file master.key in the DATA_DIR of the first one)',
  )
}
