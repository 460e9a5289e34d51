import { existsSync } from 'node:fs'
import { type Config, readKeys } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { createSealer, type Sealer } from '../../secrets/seal.ts'
import { knownFingerprint, storeFingerprint } from '../../store/key-fingerprint.ts'
import { masterKeyFile, masterKeyPath } from '../../store/master-key.ts'
import type { Database } from '../../store/tables.ts'

type KeySettings = Pick<Config, 'masterKey' | 'dataDir'>

/** With the keys that this process was given; undefined when it has none yet. Throws when one is none. */
export async function givenSealer({
  masterKey,
  dataDir,
}: KeySettings): Promise<Sealer | undefined> {
  if (masterKey === undefined && !existsSync(masterKeyPath(dataDir))) return
  return sealerOf(masterKey ?? (await masterKeyFile(dataDir)), dataDir)
}

/**
 * The sealer of a database, before it is migrated. Only a database that no key was used with gets a
 * new one: with another key nothing that was sealed could be opened, and webhooks of this machine
 * would be refused.
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

/** Binds a migrated database to its key. Of two processes that come first, one wins. */
export async function bindKey(db: Database, settings: KeySettings, sealer: Sealer): Promise<void> {
  const [fingerprint = ''] = sealer.fingerprints
  checkFingerprint(await storeFingerprint(db, fingerprint), sealer, settings)
}

function sealerOf(written: string, dataDir: string): Sealer {
  const keys = readKeys(written)
  if (keys) return createSealer(...keys)
  throw new SetupError(
    `the file ${masterKeyPath(dataDir)} does not hold a key of 32 bytes: ` +
      'restore it from a backup (without it nothing that was sealed can be opened)',
  )
}

function checkFingerprint(known: string, sealer: Sealer, settings: KeySettings): void {
  if (!sealer.fingerprints.includes(known)) throw otherKey(settings)
}

function otherKey({ masterKey, dataDir }: KeySettings): SetupError {
  const file = masterKeyPath(dataDir)
  const has =
    masterKey !== undefined
      ? 'MASTER_KEY is another one'
      : `this process has ${existsSync(file) ? `another one, in ${file}` : 'none'}`
  return new SetupError(
    `the secrets of this database are sealed with a key, and ${has}: set MASTER_KEY to that key, ` +
      'which the other processes of this installation use (if it was never set there: the content ' +
      'of the file master.key in the DATA_DIR of the first one)',
  )
}
