import type { Config } from '../../config/config.ts'
import { masterKeyPath } from '../../store/secrets/master-key.ts'
import { givenSealer } from '../open/open-sealer.ts'

/** Whether the key of the settings opens the sealed values in a backup. */
export interface KeyOfBackup {
  /** Where the key is, according to the settings. */
  place: string
  fits: 'yes' | 'no' | 'missing'
}

export async function keyOfBackup(
  settings: Pick<Config, 'masterKey' | 'dataDir'>,
  fingerprint: string | null,
): Promise<KeyOfBackup> {
  const sealer = await givenSealer(settings)
  const place = settings.masterKey === undefined ? masterKeyPath(settings.dataDir) : 'MASTER_KEY'
  if (!sealer) return { place, fits: 'missing' }
  const fits = fingerprint === null || sealer.fingerprints.includes(fingerprint)
  return { place, fits: fits ? 'yes' : 'no' }
}
