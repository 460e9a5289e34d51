import { existsSync } from 'node:fs'
import { type Config, readKey } from '../config/config.ts'
import { SetupError } from '../domain/errors.ts'
import { createSealer, type Sealer } from '../secrets/seal.ts'
import { knownFingerprint, storeFingerprint } from '../store/key-fingerprint.ts'
import { masterKeyFile, masterKeyPath } from '../store/master-key.ts'
import type { Database } from '../store/tables.ts'

type KeySettings = Pick<Config, 'masterKey' | 'dataDir'>

/** The key that this process was given; undefined when it has none yet. Throws when it is no key. */
export async function givenKey({ masterKey, dataDir }: KeySettings): Promise<Buffer | undefined> {
  if (masterKey === undefined && !existsSync(masterKeyPath(dataDir))) return
  return readGiven(masterKey ?? (await masterKeyFile(dataDir)), dataDir)
}

/**
 * The sealer of a database, before it is migrated. Only a database that no key was used with gets a
 * new one: with another key nothing that was sealed could be opened, and webhooks of this machine
 * would be refused.
 */
export async function openSealer(
  db: Database,
  settings: KeySettings,
  given: Buffer | undefined,
): Promise<Sealer> {
  const known = await knownFingerprint(db)
  if (given === undefined && known !== undefined) throw otherKey(settings)
  const { dataDir } = settings
  const sealer = createSealer(given ?? readGiven(await masterKeyFile(dataDir), dataDir))
  if (known !== undefined) checkFingerprint(known, sealer, settings)
  return sealer
}

/** Binds a migrated database to its key. Of two processes that come first, one wins. */
export async function bindKey(db: Database, settings: KeySettings, sealer: Sealer): Promise<void> {
  checkFingerprint(await storeFingerprint(db, fingerprintOf(sealer)), sealer, settings)
}

function readGiven(written: string, dataDir: string): Buffer {
  const key = readKey(written)
  if (key) return key
  throw new SetupError(
    `the file ${masterKeyPath(dataDir)} does not hold a key of 32 bytes: ` +
      'restore it from a backup (without it nothing that was sealed can be opened)',
  )
}

function checkFingerprint(known: string, sealer: Sealer, settings: KeySettings): void {
  if (fingerprintOf(sealer) !== known) throw otherKey(settings)
}

/** Tells keys apart, and tells nothing of the key. */
function fingerprintOf(sealer: Sealer): string {
  return sealer.derive('fingerprint of the master key').slice(0, 16)
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
