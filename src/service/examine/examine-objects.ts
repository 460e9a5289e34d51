import type { Config } from '../../config/config.ts'
import { counted } from '../../domain/text/counted.ts'
import { StoreError } from '../../objects/objects.ts'
import { openObjects } from '../../objects/open-objects.ts'
import { countObjects, countUnarchived } from '../../store/jobs/log-objects.ts'
import type { Database } from '../../store/tables.ts'
import type { Examined } from './examined.ts'

/**
 * Whether finished logs can be written as objects, read and deleted, and how many logs wait for
 * that.
 */
export async function examineObjects(config: Config, { db }: { db: Database }): Promise<Examined> {
  const subject = 'objects'
  const { current, at } = openObjects(config)
  const places = await countObjects(db)
  const kept = places.map(({ place, count }) => `${counted(count, 'log')} in ${place}`).join(', ')
  const found = kept === '' ? 'no log is an object so far' : kept
  try {
    for (const { place } of places) if (place !== current?.place) await at(place).check()
    if (!current) {
      const remedy =
        'finished logs stay in the database, because other machines can use it too: set OBJECT_STORE_URL ' +
        'to a bucket, or to a folder that all machines share (docs/logs.md)'
      return { subject, verdict: 'ok', found: `${found}; ${remedy}` }
    }
    const warnings = await current.examine()
    const waiting = await countUnarchived(db)
    if (waiting > 0) warnings.push(`${counted(waiting, 'log')} should have been written hours ago`)
    const says = `${found}; new ones are written to ${current.place}`
    if (warnings.length === 0) return { subject, verdict: 'ok', found: says }
    return { subject, verdict: 'warning', found: says, remedy: warnings.join('; ') }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const remedy = 'until then finished logs stay in the database; builds do not depend on it'
    return { subject, verdict: 'failure', found: `${found}; ${error.reason}`, remedy }
  }
}
