import { startEmbedded } from '../../src/store/embedded/server.ts'
import { urlOf } from '../harness/databases.ts'
import type { Workplace } from '../harness/workplace.ts'

/** Joins the embedded server that a service keeps there, and returns its address. */
export async function embeddedIn(place: Workplace, root: string): Promise<string> {
  const { connection, stop } = await startEmbedded(root)
  place.keep({ close: stop })
  return urlOf(connection)
}
