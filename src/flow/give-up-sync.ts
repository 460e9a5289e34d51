import { endSync } from '../store/installation-syncs.ts'
import type { Context } from './context.ts'

/** Forgets the look-up of an installation after its last attempt has failed; the next is hourly. */
export function giveUpSync({ db }: Context, codehost_id: number): Promise<void> {
  return endSync(db, codehost_id)
}
