import { rotateKeys } from '../../flow/rotate-keys.ts'
import { exitCodes } from '../explain.ts'
import { withStore } from '../with-store.ts'

/** Seals all secrets with the first key of MASTER_KEY, so that the others can be dropped. */
export async function rotate(): Promise<void> {
  const { sealed, lost } = await withStore(rotateKeys)
  console.log(`${sealed} secrets were sealed with the first key`)
  if (lost.length === 0) {
    console.log('the others are no longer needed: remove them from MASTER_KEY everywhere')
    return
  }
  console.error(
    `${lost.length} secrets were sealed with a key that is not in MASTER_KEY, and stay as they ` +
      `are: ${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ', …' : ''}`,
  )
  process.exitCode = exitCodes.unusable
}
