import { rotateKeys } from '../../flow/upkeep/rotate-keys.ts'
import { exitCodes } from '../errors.ts'
import { withStore } from '../with-store.ts'

/** A process with an older key list still seals with that list's first key: only operators know of it. */
const noLongerNeeded =
  'if every process of the service was started with this MASTER_KEY, the other keys are no longer ' +
  'needed: remove them everywhere'

const callAgain =
  'processes that were started before MASTER_KEY was changed still need the other keys: restart them, and ' +
  'run this command again until it reports 0'

/** Seals all secrets with the first key of MASTER_KEY, so that the others can be dropped. */
export async function rotate(): Promise<void> {
  const { sealed, lost, others } = await withStore(async (store) => ({
    ...(await rotateKeys(store)),
    others: store.sealer.keyIds.length - 1,
  }))
  console.log(`${sealed} secrets were sealed with the first key`)
  if (lost.length === 0) {
    if (others > 0) console.log(sealed === 0 ? noLongerNeeded : callAgain)
    return
  }
  console.error(
    `${lost.length} secrets were sealed with a key that is not in MASTER_KEY, and stay as they ` +
      `are: ${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ', …' : ''}`,
  )
  process.exitCode = exitCodes.unusable
}
